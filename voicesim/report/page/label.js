/* Labels: a person says of each verdict if it is right; the answers are saved as a file of gold labels. */
(() => {
  const { call, checks } = JSON.parse(document.getElementById("data").textContent).labels;
  const $ = (id) => document.getElementById(id);
  const boxes = [...document.querySelectorAll(".labelling")];
  const said = (box) => box.querySelector("[data-says][aria-pressed=true]")?.dataset.says;
  const check = (box) => box.closest(".check").dataset.check;

  function answer(box) {
    const verdict = checks[check(box)], right = said(box) === "right";
    return {
      item: call.item,
      check: check(box),
      label: right ? verdict.label : box.querySelector("select").value,
      source: "human",
      rater: "scorecard",
      reason: box.querySelector("input").value.trim(),
      evidence: right ? verdict.evidence : [],
      case: call.case,
      judge: call.judge,
      outcome: verdict.outcome,
    };
  }
  const rows = () => boxes.filter(said).map((box) => JSON.stringify(answer(box)) + "\n");

  function choose(button) {
    const box = button.closest(".labelling"), again = button.getAttribute("aria-pressed") === "true";
    for (const one of box.querySelectorAll("[data-says]")) one.setAttribute("aria-pressed", String(one === button && !again));
    box.querySelector("select").hidden = said(box) !== "wrong";
    box.querySelector("input").hidden = !said(box);
    const count = rows().length;
    $("labelled").textContent = count;
    $("save").hidden = count === 0;
  }

  function save() {
    const made = URL.createObjectURL(new Blob(rows(), { type: "application/x-ndjson" }));
    const download = `labels-${call.item.replace(/[^A-Za-z0-9._-]+/g, "_")}.jsonl`;
    Object.assign(document.createElement("a"), { href: made, download }).click();
    setTimeout(() => URL.revokeObjectURL(made), 1000);
  }

  document.querySelector(".checks").addEventListener("click", (event) => {
    const button = event.target.closest("[data-says]");
    if (button) choose(button);
  });
  $("save").addEventListener("click", save);
  $("label").addEventListener("click", () => {
    const on = $("label").getAttribute("aria-pressed") !== "true";
    $("label").setAttribute("aria-pressed", String(on));
    boxes.forEach((box) => { box.hidden = !on; });
  });
  globalThis.voicesim.labels = rows;
})();
