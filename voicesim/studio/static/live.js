// Watching, hearing and playing a visit while it runs. The server sends what the recording's own files hold.
"use strict";

const live = document.getElementById("live");
const RATE = 24000;
const SIDES = ["caller", "agent"];
const SHOWN_SECONDS = 30;
const WORDS = {
  connected: "connected", caller_line: "patient", heard: "the patient understood", agent_said: "agent says of itself",
  tool_call: "tool", tool_result: "tool answered", late: "late", warning: "warning", hangup: "the call is over",
};

let context = null;
let begins = 0;
let levels = [];
let lateTicks = 0;

function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function samples(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32768);
}

function play(block) {
  if (!context) return;
  const sounds = SIDES.map((side) => samples(block.pcm[side]));
  const buffer = context.createBuffer(2, sounds[0].length, RATE);
  sounds.forEach((sound, channel) => buffer.copyToChannel(sound, channel));
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  // What comes too late for its place is heard at once, and all that follows with it.
  if (begins + block.t < context.currentTime) begins = context.currentTime + 0.2 - block.t;
  source.start(begins + block.t);
}

function draw() {
  const canvas = document.getElementById("wave");
  canvas.width = canvas.clientWidth;
  const paper = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const shown = levels.slice(-Math.round(SHOWN_SECONDS * 5));
  const width = canvas.width / (SHOWN_SECONDS * 5);
  SIDES.forEach((side, row) => {
    paper.fillStyle = style.getPropertyValue(side === "caller" ? "--caller" : "--agent");
    shown.forEach((level, index) => {
      const height = Math.max(1, 54 * Math.sqrt(level[side]));
      paper.fillRect(index * width, 30 + 60 * row - height / 2, Math.max(1, width - 1), height);
    });
  });
}

function told(event) {
  if (event.type === "late") {
    lateTicks += 1;
    document.getElementById("late").textContent = `${lateTicks} ticks late`;
    return;
  }
  const item = document.createElement("li");
  const time = document.createElement("time");
  time.textContent = clock(event.t);
  const who = document.createElement("b");
  who.textContent = WORDS[event.type] || event.type;
  const text = event.text || event.message || event.name || event.detail || event.reason || "";
  item.className = event.type === "caller_line" ? "patient" : event.type === "warning" ? "bad" : "agent";
  item.append(time, who, document.createTextNode(text));
  const list = document.getElementById("events");
  const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  list.append(item);
  if (follows) list.scrollTop = list.scrollHeight;
}

function listen() {
  const source = new EventSource(`/runs/${live.dataset.run}/feed`);
  const data = (message) => JSON.parse(message.data);
  source.addEventListener("step", (message) => {
    live.dataset.step = data(message).step;
    document.getElementById("step").textContent = data(message).step;
  });
  source.addEventListener("event", (message) => told(data(message)));
  source.addEventListener("sound", (message) => {
    const block = data(message);
    levels.push(block.levels);
    document.getElementById("clock").textContent = clock(block.t);
    play(block);
    draw();
  });
  source.addEventListener("over", () => { source.close(); window.location.reload(); });
}

const hear = document.getElementById("hear");
hear.addEventListener("click", async () => {
  if (context) {
    await context.close();
    context = null;
  } else {
    context = new AudioContext({ sampleRate: RATE });
    begins = -1e9;
  }
  hear.setAttribute("aria-pressed", String(context !== null));
  hear.textContent = context ? "Stop hearing" : "Hear the call";
});

async function say(line) {
  const form = document.getElementById("say");
  const body = new URLSearchParams(new FormData(form));
  body.set("line", line);
  const answer = await fetch(form.action, { method: "POST", body });
  if (!answer.ok) document.getElementById("step").textContent = "Nobody waits for a line just now.";
}

const form = document.getElementById("say");
if (form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = form.elements.line;
    await say(input.value);
    input.value = "";
    input.focus();
  });
  for (const button of document.querySelectorAll("button.say")) {
    button.addEventListener("click", () => say(button.dataset.line));
  }
}

// A visit that waits in the queue, or is only starting, answers an offer a little later.
async function offered(sdp, token) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": token };
  const path = `/runs/${live.dataset.run}/offer`;
  for (let tries = 0; tries < 60; tries += 1) {
    if (live.dataset.step !== "queued") {
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify({ sdp, type: "offer" }) });
      if (answer.status !== 409) return answer;
    }
    await new Promise((done) => { setTimeout(done, 1000); });
  }
  return { ok: false };
}

const microphone = document.getElementById("microphone");
if (microphone) {
  const state = document.getElementById("microphone-state");
  microphone.addEventListener("click", async () => {
    microphone.disabled = true;
    try {
      const sound = { echoCancellation: true, noiseSuppression: false, autoGainControl: true };
      const stream = await navigator.mediaDevices.getUserMedia({ audio: sound });
      const peer = new RTCPeerConnection();
      stream.getTracks().forEach((track) => peer.addTrack(track, stream));
      peer.addEventListener("track", (event) => { document.getElementById("agent-voice").srcObject = event.streams[0]; });
      peer.addEventListener("connectionstatechange", () => { state.textContent = peer.connectionState; });
      await peer.setLocalDescription(await peer.createOffer());
      await new Promise((done) => {
        if (peer.iceGatheringState === "complete") done();
        peer.addEventListener("icegatheringstatechange", () => { if (peer.iceGatheringState === "complete") done(); });
      });
      state.textContent = "waiting for the call";
      const answer = await offered(peer.localDescription.sdp, microphone.dataset.token);
      if (!answer.ok) throw new Error("the call does not answer");
      await peer.setRemoteDescription(await answer.json());
    } catch (error) {
      state.textContent = `The microphone cannot be used: ${error.message}`;
      microphone.disabled = false;
    }
  });
}

listen();
