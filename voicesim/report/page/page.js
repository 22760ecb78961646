/* The page: checks, transcript, time line and player, bound to one another. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const lines = new Map(all(".utterance").map((line) => [line.dataset.utterance, line]));
  const cards = new Map(all(".check").map((card) => [card.dataset.check, card]));
  const stretches = new Map(all(".stretch").map((one) => [one.dataset.utterance, one]));
  const words = new Map([...lines].map(([id, line]) => [id, all(".w", line)]));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const player = createPlayer(data, draw);
  let here = null, speaking = null, byKeys = false;

  function clock(t) {
    const tenths = Math.round(Math.max(0, t) * 10);
    return `${Math.floor(tenths / 600)}:${String(Math.floor((tenths % 600) / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const say = (text) => { $("status").textContent = text; };
  const scroll = (what, block) => what.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });

  /* ---- what the player says ---- */
  function draw() {
    const t = player.now();
    const share = data.duration > 0 ? (100 * t) / data.duration : 0;
    $("now").textContent = clock(t);
    $("seek").value = t;
    $("seek").setAttribute("aria-valuetext", `${clock(t)} of ${clock(data.duration)}`);
    $("playhead").setAttribute("x1", `${share}%`);
    $("playhead").setAttribute("x2", `${share}%`);
    document.body.classList.toggle("playing", player.playing);
    $("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
    mark(t);
    if (!player.playing) return;
    follow(share);
    requestAnimationFrame(() => { if (player.playing) draw(); });
  }

  function mark(t) {
    const at = player.playing ? data.utterances.filter((one) => one.start <= t && t < one.end).pop() : null;
    if (at?.id !== here) {
      if (here) lines.get(here).classList.remove("here");
      here = at?.id ?? null;
      if (here) lines.get(here).classList.add("here");
    }
    const index = at ? at.words.findIndex((span) => span && span[0] <= t && t < span[1]) : -1;
    const word = index >= 0 ? words.get(at.id)[index] : null;
    if (word === speaking) return;
    speaking?.classList.remove("speaking");
    word?.classList.add("speaking");
    speaking = word;
  }

  function follow(share) {
    const box = $("scroller"), x = (share / 100) * box.scrollWidth;
    if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth - 20) box.scrollLeft = x - box.clientWidth / 4;
  }

  function play(from, to) {
    player.play(from, to).catch(() => {}); /* told once, below */
  }
  player.ready.catch((error) => {
    $("trouble").textContent = `The sound cannot be played: ${error.message}`;
    $("trouble").hidden = false;
    $("play").disabled = true;
  });

  /* ---- choosing ---- */
  function clear() {
    for (const one of all(".chosen, .linked, .quoted")) one.classList.remove("chosen", "linked", "quoted");
    for (const chip of all(".chip")) chip.setAttribute("aria-pressed", "false");
  }

  function chooseCheck(id, number = 0, only = null) {
    const card = cards.get(id), quotes = data.checks[id] ?? [];
    clear();
    if (card.hidden || card.closest(".group").hidden) filter("all", "all");
    card.classList.add("chosen");
    card.querySelector(".chip").setAttribute("aria-pressed", "true");
    const quote = only ? quotes.find((one) => one.utterance === only) : quotes[number];
    if (!quote) {
      const seen = card.querySelector(".moment");
      reveal(card);
      return seen ? playMoment(seen) : say("No quote: nothing in the call to play.");
    }
    const line = lines.get(quote.utterance), tokens = words.get(quote.utterance);
    line.classList.add("chosen");
    stretches.get(quote.utterance)?.classList.add("chosen");
    tokens.slice(quote.first ?? 0, (quote.last ?? tokens.length - 1) + 1).forEach((one) => one.classList.add("quoted"));
    reveal(card);
    scroll(line, "center");
    say(`Playing ${quote.utterance} at ${clock(quote.start)}`);
    play(quote.start, quote.end);
  }

  /* What was seen has no words of its own: a little of what is around it is played, too. */
  function playMoment(button) {
    const from = Math.max(0, Number(button.dataset.from) - 1), to = Number(button.dataset.to) + 2;
    say(`Playing around ${clock(Number(button.dataset.from))}`);
    play(from, to);
  }

  function chooseUtterance(id, { sound = true } = {}) {
    const one = data.utterances.find((other) => other.id === id), line = lines.get(id);
    clear();
    line.classList.add("chosen");
    stretches.get(id)?.classList.add("chosen");
    const counted = Object.keys(data.checks).filter((check) => data.checks[check].some((q) => q.utterance === id));
    counted.forEach((check) => cards.get(check).classList.add("linked"));
    const names = counted.map((check) => cards.get(check).querySelector(".name").textContent);
    say(names.length ? `${id} counted for: ${names.join(", ")}` : `${id} counted for no check`);
    const first = counted.length ? cards.get(counted[0]) : null;
    if (first) reveal(first);
    if (sound) play(one.start, one.end);
    else player.seek(one.start).catch(() => {});
  }

  /* Brings a check into sight in the list beside the transcript; never scrolls the page. */
  function reveal(card) {
    const box = document.querySelector(".checks");
    const inner = card.getBoundingClientRect(), outer = box.getBoundingClientRect();
    if (inner.top < outer.top) box.scrollTop += inner.top - outer.top - 10;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 10;
  }

  /* ---- filter ---- */
  let outcome = "all", group = "all";
  function filter(byOutcome, byGroup) {
    outcome = byOutcome;
    group = byGroup;
    for (const one of all("[data-outcome]", document.querySelector(".filters"))) press(one, one.dataset.outcome === outcome);
    for (const one of all("[data-only]")) press(one, one.dataset.only === group);
    let shown = 0;
    for (const section of all(".group")) {
      const fits = group === "all" || section.dataset.group === group;
      for (const card of all(".check", section)) {
        card.hidden = !(fits && (outcome === "all" || card.dataset.kind === outcome));
        shown += card.hidden ? 0 : 1;
      }
      section.hidden = all(".check", section).every((card) => card.hidden);
    }
    $("count").textContent = shown === cards.size ? `${shown}` : `${shown} of ${cards.size}`;
    $("nothing").hidden = shown > 0 || cards.size === 0;
  }
  const press = (button, on) => button.setAttribute("aria-pressed", String(on));

  /* ---- pointer ---- */
  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    const quote = on("button.quote"), chip = on(".chip"), tag = on(".tag"), sign = on(".sign"), go = on(".go");
    const moment = on(".moment");
    if (moment) return playMoment(moment);
    if (quote) return chooseQuote(quote);
    if (chip) return chooseCheck(chip.closest(".check").dataset.check);
    if (tag) return chooseCheck(tag.dataset.to, 0, tag.closest(".utterance").dataset.utterance);
    if (sign) return chooseCheck(sign.dataset.sign);
    if (on("[data-outcome]") && on(".filters")) return filter(on("[data-outcome]").dataset.outcome, group);
    if (on("[data-only]")) return filter(outcome, on("[data-only]").dataset.only);
    if (on("[data-side]")) return hear(on("[data-side]"));
    if (on("#play")) return toggle();
    if (on("#line")) return seekTo(event);
    const line = on(".utterance");
    if (go || (line && getSelection().isCollapsed)) chooseUtterance(line.dataset.utterance);
  });
  const chooseQuote = (button) => {
    const card = button.closest(".check");
    chooseCheck(card.dataset.check, all("button.quote", card).indexOf(button));
  };
  function hear(button) {
    all("[data-side]").forEach((one) => press(one, one === button));
    player.hear(button.dataset.side);
  }
  function toggle() {
    if (player.playing) player.pause();
    else play();
  }
  function seekTo(event) {
    const box = $("line").getBoundingClientRect();
    player.seek(((event.clientX - box.left) / box.width) * data.duration).catch(() => {});
  }
  $("seek").addEventListener("input", () => player.seek(Number($("seek").value)).catch(() => {}));

  /* ---- keys ---- */
  function step(by) {
    const at = data.utterances.findIndex((one) => lines.get(one.id).classList.contains("chosen"));
    const t = player.now();
    const next = at >= 0 ? at + by
      : by > 0 ? data.utterances.findIndex((one) => one.start > t + 0.01)
      : data.utterances.findLastIndex((one) => one.start < t - 0.01);
    const one = data.utterances[next];
    if (!one) return;
    chooseUtterance(one.id, { sound: false });
    scroll(lines.get(one.id), "center");
  }
  document.addEventListener("pointerdown", () => { byKeys = false; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") byKeys = true;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input[type=text], select")) return;
    /* Space presses the button that was reached by keyboard; after a click it means the player. */
    const own = byKeys && document.activeElement?.matches("button, summary, a");
    if (event.key === " " && !own) toggle();
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  });
  /* A button that has the focus from a click would also be pressed when space comes up. */
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && !byKeys && document.activeElement?.matches("button")) event.preventDefault();
  });

  /* ---- page ---- */
  const deck = document.querySelector(".deck"), controls = document.querySelector(".controls");
  function measure() {
    const bar = getComputedStyle(deck).display === "contents" ? controls : deck;
    document.documentElement.style.setProperty("--deck", `${bar.offsetHeight}px`);
  }
  new ResizeObserver(measure).observe(document.body);
  const folded = all("details");
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folded.filter((one) => !one.open);
    opened.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
  filter("all", "all");
  /* Whoever comes for a check finds it marked, and hears nothing unasked. */
  const wanted = cards.get(decodeURIComponent(location.hash).replace(/^#check-/, ""));
  if (wanted && location.hash.startsWith("#check-")) wanted.classList.add("linked");
  measure();
  draw();
  globalThis.voicesim = { player, data };
})();
