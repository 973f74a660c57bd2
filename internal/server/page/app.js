import { render } from "./markdown.js";

const $ = (id) => document.getElementById(id);
const element = (name, className, ...children) => {
  const e = document.createElement(name);
  e.className = className;
  e.append(...children);
  return e;
};

let session = ""; // the name of the conversation that is shown
let running = ""; // the run in flight
let follower = null; // the EventSource of the run in flight
let canApprove = false;
let began = 0;
let shown = 0; // counts conversations that were opened, so that late answers of another are dropped

async function ask(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 401) {
    signedOut();
    throw new Error("Sign in first.");
  }
  const text = await response.text();
  if (!response.ok) {
    let message = text || response.statusText;
    try {
      message = JSON.parse(text).error.message;
    } catch {
      // it is a plain text
    }
    throw new Error(message);
  }
  return text ? JSON.parse(text) : null;
}

function signedOut(why = "", hint = "It was shown when the server was started, or you got it from the person who runs it.") {
  follower?.close();
  $("app").hidden = true;
  $("login").hidden = false;
  $("login-error").textContent = why;
  $("login-hint").textContent = hint;
  $("token").focus();
}

async function signIn(token) {
  const response = await fetch("/login", { method: "POST", headers: { Authorization: "Bearer " + token } });
  if (!response.ok) {
    signedOut(response.status === 429 ? "Too many attempts; wait a moment." : "This token is not valid.");
    return;
  }
  $("token").value = "";
  $("login").hidden = true;
  await open();
}

// open shows the page to somebody who is signed in.
async function open() {
  const state = await ask("GET", "/api/state");
  $("app").hidden = false;
  canApprove = state.approve;
  $("user").textContent = state.user;
  $("logout").hidden = state.open;
  showState(state);
  await listSessions();
  const named = decodeURIComponent(location.hash.slice(1));
  if (named) await openSession(named);
  else newSession();
}

function showState(state) {
  const chosen = $("agent").value;
  $("agent").replaceChildren(
    ...state.agents.map((a) => {
      const option = element("option", "", a.name);
      option.dataset.about = [a.description, a.model].filter(Boolean).join(" · ");
      return option;
    }),
  );
  if (chosen && state.agents.some((a) => a.name === chosen)) $("agent").value = chosen;
  $("problem").textContent = state.problem;
  $("problem").hidden = !state.problem;
  about();
}

function about() {
  $("about").textContent = $("agent").selectedOptions[0]?.dataset.about ?? "";
}

async function listSessions() {
  const list = await ask("GET", "/api/sessions");
  await listWaiting();
  $("sessions").replaceChildren(
    ...list.map((s) => {
      const button = element("button", "", s.title || s.name);
      button.append(element("small", "", [s.agent, s.status === "waiting" ? "waits for you" : s.status === "running" ? "running" : when(s.updated)].join(" · ")));
      if (s.name === session) button.setAttribute("aria-current", "true");
      button.onclick = () => openSession(s.name).catch(complain);
      return element("li", "", button);
    }),
  );
}

// listWaiting shows the calls of other users to somebody who may decide about them.
async function listWaiting() {
  if (!canApprove) return;
  const calls = (await ask("GET", "/api/waiting")).filter((c) => c.user !== $("user").textContent);
  $("waiting").replaceChildren(
    ...calls.map((c) => {
      const place = element("li", "");
      place.append(element("p", "soft", c.user + " · " + c.agent));
      question(place, { id: c.run, waiting: c }, false);
      return place;
    }),
  );
  $("waiting-box").hidden = calls.length === 0;
}

const when = (time) => new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

function newSession() {
  change("");
  $("agent").disabled = false;
  $("talk").append(element("p", "soft first", "Choose an agent and write to it. Before calls that need it, you are asked."));
  $("message").focus();
}

// change empties the page for another conversation.
function change(name) {
  shown++;
  follower?.close();
  follower = null;
  running = "";
  session = name;
  history.replaceState(null, "", name ? "#" + encodeURIComponent(name) : location.pathname);
  $("talk").replaceChildren();
  $("spent").textContent = "";
  $("side").classList.remove("open");
  $("menu").setAttribute("aria-expanded", "false");
  idle("");
}

async function openSession(name) {
  change(name);
  const mine = shown;
  const s = await ask("GET", "/api/sessions/" + encodeURIComponent(name));
  if (mine !== shown) return;
  $("agent").value = s.agent;
  $("agent").disabled = true;
  about();
  if (s.omitted > 0) $("talk").append(element("p", "soft", s.omitted + " earlier messages are not shown here."));
  spent(s.spent);
  for (const run of s.runs) {
    const turn = begin(run.message);
    if (run.live) {
      follow(run.id, turn);
      continue;
    }
    for (const event of run.events ?? []) turn.take(event);
    turn.end(run);
  }
  await listSessions();
  bottom(true);
  $("message").focus();
}

// refresh shows what the conversation has cost, and the list.
async function refresh() {
  const name = session;
  const s = await ask("GET", "/api/sessions/" + encodeURIComponent(name) + "?turns=0");
  if (name === session) spent(s.spent);
  await listSessions();
}

function spent(text) {
  if (text) $("spent").textContent = text;
}

// A turn shows a message and what became of it.
function begin(message) {
  const talk = $("talk");
  talk.querySelector(".first")?.remove();
  talk.append(element("div", "user", message));
  const place = element("div", "turn");
  talk.append(place);
  let answer = null;
  let text = "";
  let painting = false;
  const calls = new Map();
  const seen = new Set(); // IDs of events, which are sent again after a lost connection

  const paint = () => {
    painting = false;
    if (!answer) {
      answer = element("div", "answer");
      place.append(answer);
    }
    render(answer, text);
    bottom(false);
  };
  const later = () => {
    if (!painting) {
      painting = true;
      requestAnimationFrame(paint);
    }
  };
  const close = () => {
    if (painting || text) paint();
    answer = null;
    text = "";
  };
  const note = (className, words) => {
    close();
    place.append(element("p", className, words));
  };

  return {
    take(e) {
      if (e.id) {
        if (seen.has(e.id)) return;
        seen.add(e.id);
      }
      switch (e.kind) {
        case "delta":
          text += e.text ?? "";
          return later();
        case "partial":
          text = e.text ?? "";
          return later();
        case "response":
          text = e.text ?? "";
          if (text) paint();
          else answer?.remove();
          answer = null;
          text = "";
          return;
        case "call": {
          close();
          place.querySelector(".ask")?.remove();
          const summary = element("summary", "", element("code", "", e.tool), " runs…");
          const details = element("details", "call", summary, element("h3", "hidden", "Arguments"), element("pre", "", pretty(e.args)));
          calls.set(e.call, { details, summary });
          place.append(details);
          return bottom(false);
        }
        case "result": {
          const call = calls.get(e.call);
          if (!call) return;
          place.querySelector(".ask")?.remove();
          call.details.classList.toggle("failed", Boolean(e.failed));
          call.summary.replaceChildren(element("code", "", e.tool), " " + (e.denied ? "not allowed" : e.failed ? "failed" : "done") + (e.ms ? " · " + seconds(e.ms) : ""));
          call.details.append(element("h3", "hidden", "Result"), element("pre", e.failed ? "bad" : "", pretty(e.result)));
          return;
        }
        case "note":
          return note("soft", e.text);
      }
    },
    // waits shows a question, and goes on as soon as somebody has answered it.
    waits(run) {
      close();
      question(place, run);
    },
    end(run) {
      close();
      place.querySelector(".ask")?.remove();
      if (run.json && run.answer) place.append(element("pre", "", pretty(run.answer)));
      if (run.status === "cancelled") note("soft", "You have stopped the answer.");
      else if (run.error) note("bad", run.error);
      const trace = element("a", "", "Trace");
      trace.href = "/api/runs/" + encodeURIComponent(run.id) + "/trace";
      trace.target = "_blank";
      place.append(element("p", "turn-end soft", [run.status === "finished" ? "" : run.status, run.seconds ? seconds(run.seconds * 1000) : "", run.spent].filter(Boolean).join(" · ") + " · ", trace));
      bottom(false);
    },
  };
}

const seconds = (ms) => (ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(1) + " s");

function pretty(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
  } catch {
    return text ?? "";
  }
}

// question asks whether a call may be made.
function question(place, run, focus = true) {
  const call = run.waiting;
  const old = place.querySelector(".ask");
  if (!call || old?.dataset.call === call.call) return;
  old?.remove();
  const box = element("section", "ask");
  box.dataset.call = call.call;
  const title = element("h2", "", "Allow this call?");
  title.id = "ask-" + run.id;
  box.setAttribute("aria-labelledby", title.id);
  box.append(title, element("p", "", element("code", "", call.tool)), element("pre", "", JSON.stringify(call.args, null, 2)));
  if (!canApprove) {
    box.append(element("p", "soft", "You may not decide this; somebody with that right must."));
  } else {
    const allow = element("button", "main", "Allow");
    const deny = element("button", "", "Deny");
    const reason = element("input", "");
    reason.placeholder = "Reason, if you deny";
    reason.setAttribute("aria-label", "Reason, if you deny");
    const decide = async (allowed) => {
      allow.disabled = deny.disabled = true;
      try {
        await ask("POST", "/api/runs/" + encodeURIComponent(run.id) + "/decision", { call: call.call, hash: call.hash, allow: allowed, reason: allowed ? "" : reason.value });
        box.remove();
        if (focus) $("message").focus();
        else listWaiting().catch(complain);
      } catch (error) {
        allow.disabled = deny.disabled = false;
        complain(error);
      }
    };
    allow.onclick = () => decide(true);
    deny.onclick = () => decide(false);
    reason.onkeydown = (e) => {
      if (e.key === "Enter" && !e.isComposing) decide(false);
    };
    box.append(element("div", "buttons", allow, deny, reason));
  }
  place.append(box);
  if (focus) {
    bottom(true);
    box.querySelector("button")?.focus();
  }
}

// follow shows the events of a run while it goes on.
function follow(id, turn) {
  running = id;
  began = Date.now();
  $("send").hidden = true;
  $("stop").hidden = false;
  busy("The agent thinks");
  const source = new EventSource("/api/runs/" + encodeURIComponent(id) + "/events");
  follower = source;
  source.onmessage = (m) => {
    const e = JSON.parse(m.data);
    if (e.kind === "state") {
      if (e.run.live) {
        if (e.run.waiting) {
          pause("The agent waits for a decision.");
          turn.waits(e.run);
        }
        return;
      }
      source.close();
      follower = null;
      turn.end(e.run);
      idle(e.run.status === "finished" ? "The agent has answered." : "");
      refresh().catch(complain);
      return;
    }
    if (e.kind === "call") busy("Calls " + e.tool);
    else if (e.kind === "result" || e.kind === "partial") busy(e.kind === "result" ? "The agent thinks" : "The agent answers");
    turn.take(e);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) {
      idle("");
      complain(new Error("The connection to the server is lost. Load the page again to go on."));
    } else status("The connection is lost; trying again…");
  };
}

let ticking = 0;
function busy(what) {
  clearInterval(ticking);
  $("status").classList.add("waiting");
  status(what);
  ticking = setInterval(() => {
    $("about").textContent = what + " · " + seconds(Date.now() - began);
  }, 500);
}

// pause shows that nothing happens until somebody has decided.
function pause(words) {
  clearInterval(ticking);
  $("status").classList.remove("waiting");
  about();
  status(words);
}

function idle(words) {
  pause(words);
  running = "";
  $("send").hidden = false;
  $("stop").hidden = true;
}

function status(words) {
  $("status").textContent = words;
}

function complain(error) {
  $("talk").append(element("p", "bad", error.message));
  bottom(true);
}

// bottom scrolls to the end, unless the user reads further up.
function bottom(always) {
  const talk = $("talk");
  if (always || talk.scrollHeight - talk.scrollTop - talk.clientHeight < 160) talk.scrollTop = talk.scrollHeight;
}

async function send() {
  const text = $("message").value;
  if (!text.trim() || running) return;
  $("send").disabled = true;
  try {
    const run = await ask("POST", "/api/runs", { agent: $("agent").value, session, message: text });
    session = run.session;
    history.replaceState(null, "", "#" + encodeURIComponent(session));
    $("agent").disabled = true;
    $("message").value = "";
    grow();
    follow(run.id, begin(text));
    bottom(true);
    listSessions().catch(complain);
  } catch (error) {
    complain(error);
  } finally {
    $("send").disabled = false;
    $("message").focus();
  }
}

function stop() {
  if (running) ask("POST", "/api/runs/" + encodeURIComponent(running) + "/cancel").catch(complain);
}

function grow() {
  const area = $("message");
  area.style.height = "auto";
  area.style.height = area.scrollHeight + 2 + "px";
}

$("login").onsubmit = (e) => {
  e.preventDefault();
  signIn($("token").value.trim()).catch((error) => signedOut(error.message));
};
$("logout").onclick = async () => {
  await fetch("/logout", { method: "POST" });
  change("");
  signedOut();
};
$("new").onclick = newSession;
$("agent").onchange = about;
$("menu").onclick = () => {
  const opened = $("side").classList.toggle("open");
  $("menu").setAttribute("aria-expanded", String(opened));
  if (opened) $("new").focus();
};
$("composer").onsubmit = (e) => {
  e.preventDefault();
  send();
};
$("stop").onclick = stop;
$("message").oninput = grow;
$("message").onkeydown = (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
    e.preventDefault();
    send();
  }
};
document.onkeydown = (e) => {
  if (e.key !== "Escape") return;
  if ($("side").classList.contains("open")) {
    $("menu").click();
    $("menu").focus();
  } else stop();
};
setInterval(() => {
  if (!$("app").hidden && !document.hidden) ask("GET", "/api/state").then(showState).then(listWaiting).catch(() => {});
}, 15_000);

// A link may have the token in its fragment, which no server and no log sees. It only fills in the
// form: a link of somebody else would sign in as that person, who could then read what is written.
const fragment = location.hash.match(/^#token=(.+)$/);
if (fragment) {
  history.replaceState(null, "", location.pathname);
  signedOut("", "Sign in with the token of this link only if it is from you or from the person who runs the server.");
  $("token").value = decodeURIComponent(fragment[1]);
  $("sign-in").focus();
} else {
  open().catch((error) => signedOut(error.message === "Sign in first." ? "" : error.message));
}
