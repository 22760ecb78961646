// What every page of the studio does: selects that submit, questions before something is deleted, lines of a text.
"use strict";

for (const select of document.querySelectorAll("select[data-submit]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
}

for (const button of document.querySelectorAll("button.goto")) {
  button.addEventListener("click", () => {
    const text = document.getElementById("text");
    if (!text) return;
    const lines = text.value.split("\n");
    const line = Number(button.dataset.line) - 1;
    const start = lines.slice(0, line).reduce((sum, part) => sum + part.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + (lines[line] || "").length);
    text.scrollTop = (text.scrollHeight / Math.max(1, lines.length)) * Math.max(0, line - 4);
  });
}

// A link to one check of a visit (#check-...) leads to it in the score card.
if (location.hash.startsWith("#check-")) {
  for (const frame of document.querySelectorAll("iframe.card")) frame.src = frame.src.split("#")[0] + location.hash;
}
