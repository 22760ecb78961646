/* Pages about many calls: every number leads to its calls, and the calls can be filtered. */
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const rows = all(".calls tbody tr");
  const marked = all("[data-c]").filter((part) => !part.closest(".calls"));
  const selects = all("[data-filter]");
  const say = (text) => { $("status").textContent = text; };
  let chosen = null; /* the calls behind a number, or null */

  function fits(row) {
    return (!chosen || chosen.has(row.dataset.c)) && selects.every((select) => !select.value || row.dataset[select.dataset.filter] === select.value);
  }

  function show() {
    const shown = new Set();
    for (const row of rows) {
      row.hidden = !fits(row);
      if (!row.hidden) shown.add(row.dataset.c);
    }
    for (const part of marked) part.classList.toggle("dim", !shown.has(part.dataset.c));
    $("count").textContent = shown.size === rows.length ? `${rows.length}` : `${shown.size} of ${rows.length}`;
    $("nothing").hidden = shown.size > 0;
    $("all-calls").hidden = shown.size === rows.length;
    return shown.size;
  }

  function reset() {
    chosen = null;
    for (const select of selects) select.value = "";
    show();
  }

  /* A number shows its calls and nothing else, whatever was filtered before. */
  function lead(link) {
    for (const select of selects) select.value = "";
    chosen = new Set(link.dataset.calls.split(" "));
    say(`${show()} calls are shown`);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-calls]"), more = event.target.closest("[data-more]"), to = event.target.closest("a[href^='#c']");
    if (link) lead(link);
    else if (to && /^#c\d+$/.test(to.getAttribute("href"))) reset();
    if (more) {
      $(more.dataset.more).classList.add("unfolded");
      more.hidden = true;
    }
    if (event.target.closest("#all-calls")) reset();
  });
  document.addEventListener("change", (event) => { if (event.target.closest("[data-filter]")) say(`${show()} calls are shown`); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && rows.length) reset(); });
  if (rows.length) show();
  globalThis.voicesim = { rows };
})();
