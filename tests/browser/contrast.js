// Words of a picture with less than 4.5:1 against what is drawn under them, and how many words there are.
svg => {
    const parts = color => color.match(/[\d.]+/g).slice(0, 3).map(Number);
    const light = color => {
        const [r, g, b] = parts(color).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const found = [], paper = getComputedStyle(document.body).backgroundColor;
    const shapes = [...svg.querySelectorAll("rect, text")];
    const boxes = shapes.map(e => e.getBoundingClientRect());
    shapes.forEach((e, k) => {
        if (e.tagName !== "text" || !e.textContent) return;
        const [x, y] = [(boxes[k].left + boxes[k].right) / 2, (boxes[k].top + boxes[k].bottom) / 2];
        let under = paper;
        for (let j = 0; j < k; j++) {
            const b = boxes[j], fill = getComputedStyle(shapes[j]).fill;
            if (shapes[j].tagName === "rect" && fill !== "none" && b.left <= x && x <= b.right && b.top <= y && y <= b.bottom) under = fill;
        }
        const [a, b] = [light(getComputedStyle(e).fill), light(under)].sort((p, q) => q - p);
        if ((a + .05) / (b + .05) < 4.5) found.push(`${e.textContent}: ${((a + .05) / (b + .05)).toFixed(1)}`);
    });
    return [found, shapes.filter(e => e.tagName === "text").length];
}
