// The local server, asked. It keeps nothing: each request carries the whole game.

/** What the server answers where a play takes longer than one question may. */
const UNFINISHED = 503;

/** What a person is told: what, where, why, and what to do about it. */
export class Trouble extends Error {
  constructor({ what, where = "", why = "", fix = "" }, status = 0) {
    super(what);
    Object.assign(this, { what, where, why, fix, status });
  }
}

async function answered(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Trouble({
      what: "The server of this page does not answer.",
      why: "quotaproof play was stopped, or the computer slept. Your play is still here, and in the address of the page.",
      fix: "start `quotaproof play` again in the terminal, then paste what follows the # in this address after its new one.",
    });
  }
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json() : null;
  if (response.ok && body !== null) return body;
  if (body && body.what) throw new Trouble(body, response.status);
  throw new Trouble({
    what: `The server answers ${response.status} to ${path.split("?")[0]}.`,
    why: "That is a defect of quotaproof. Your play is still here, and in the address of the page.",
    fix: "reload the page; if that does not help, report it with the play's link.",
  });
}

function post(path, body) {
  const headers = { "content-type": "application/json" };
  return answered(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Asks until it is answered: a long play goes on with each question from where the one before had to stop. */
async function whole(path, body) {
  for (;;) {
    try {
      return await post(path, body);
    } catch (trouble) {
      if (trouble.status !== UNFINISHED) throw trouble;
    }
  }
}

export const api = {
  menu: () => answered("/api/menu"),
  play: (game, more = {}) => whole("/api/play", { game, ...more }),
  cut: (game, at) => whole("/api/cut", { game, at }),
  open: (files) => post("/api/open", { files }),
  job: (game, job, at) => whole("/api/job", { game, job, at }),
  scenario: (name) => answered(`/api/scenario/${encodeURIComponent(name)}`),
  save: (game, at) => whole("/api/save", { game, at }),
  explain: (topic) => answered(`/api/explain/${encodeURIComponent(topic)}`),
  lesson: (number) => answered(`/api/lessons/${number}`),
  answer: (number, question, chosen) => post(`/api/lessons/${number}/answer`, { question, choice: chosen }),
};
