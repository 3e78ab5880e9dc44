// What is wrong with a picture: text that leaves it or its job, text on text, job on job. In pixels, less an outline's width.
svg => {
    const found = [], all = svg.getBoundingClientRect();
    const box = e => { const r = e.getBoundingClientRect(); return {left: r.left, right: r.right, top: r.top, bottom: r.bottom}; };
    const over = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    const texts = [...svg.querySelectorAll("text")].filter(t => t.textContent).map(t => [t.textContent.slice(0, 30), box(t), t]);
    for (const [name, r] of texts)
        if (r.left < all.left - 1 || r.right > all.right + 1 || r.top < all.top - 1 || r.bottom > all.bottom + 1)
            found.push(`${name} leaves the picture`);
    for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++) {
        const [wide, high] = over(texts[i][1], texts[j][1]);
        if (wide > 1.5 && high > 4.5) found.push(`${texts[i][0]} covers ${texts[j][0]}`);
    }
    const jobs = [...svg.querySelectorAll("[data-job]")].map(g => {
        const rects = [...g.children].filter(e => e.tagName === "rect").map(box);
        const of = (how, side) => how(...rects.map(r => r[side]));
        const r = {left: of(Math.min, "left"), right: of(Math.max, "right"), top: of(Math.min, "top"), bottom: of(Math.max, "bottom")};
        for (const t of g.querySelectorAll(":scope > text")) {
            const b = box(t);
            if (t.textContent && (b.left < r.left - 1 || b.right > r.right + 1)) found.push(`${t.textContent.slice(0, 30)} leaves its job`);
        }
        return [g.dataset.job.slice(0, 30), r];
    });
    for (let i = 0; i < jobs.length; i++) for (let j = i + 1; j < jobs.length; j++) {
        const [wide, high] = over(jobs[i][1], jobs[j][1]);
        if (wide > 3.5 && high > 3) found.push(`job ${jobs[i][0]} covers ${jobs[j][0]}`);
    }
    return found;
}
