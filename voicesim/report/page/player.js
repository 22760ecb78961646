"use strict";
/* The call's sound: decoded once, played to the sample from anywhere. Times are seconds on the call clock. */
function createPlayer(data, onState) {
  let buffer = null, shift = 0, context = null, gains = null, node = null;
  let position = 0, startedAt = 0, until = data.duration, side = "both", wanted = 0;

  /* Decoders differ in how much they put before the sound: the pulse in front of the call tells. */
  function callStart(decoded) {
    const lead = decoded.getChannelData(0).subarray(0, data.lead);
    let peak = 0;
    for (let i = 1; i < lead.length; i++) if (Math.abs(lead[i]) > Math.abs(lead[peak])) peak = i;
    return (peak - data.pulse + data.lead) / data.rate;
  }

  async function decode() {
    const text = atob(data.sound);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const decoder = new OfflineAudioContext(2, 1, data.rate);
    const decoded = await decoder.decodeAudioData(bytes.buffer);
    shift = callStart(decoded);
    buffer = decoded;
  }
  const ready = data.sound ? decode() : Promise.reject(new Error("there is no sound in this recording"));

  /* Gains from each side (caller, agent) to each ear (left, right). */
  function connect() {
    context = new AudioContext({ sampleRate: data.rate });
    const split = context.createChannelSplitter(2), merge = context.createChannelMerger(2);
    gains = [0, 1].map((from) => [0, 1].map((to) => {
      const gain = context.createGain();
      split.connect(gain, from);
      gain.connect(merge, 0, to);
      return gain;
    }));
    merge.connect(context.destination);
    gains.input = split;
  }

  function mix() {
    if (!gains) return;
    const open = { both: [[1, 0], [0, 1]], caller: [[1, 1], [0, 0]], agent: [[0, 0], [1, 1]] }[side];
    gains.forEach((row, from) => row.forEach((gain, to) => { gain.gain.value = open[from][to]; }));
  }

  function now() {
    return node ? Math.min(until, position + Math.max(0, context.currentTime - startedAt)) : position;
  }

  function halt() {
    if (!node) return;
    position = now();
    node.onended = null;
    node.stop();
    node = null;
  }

  async function play(from, to) {
    const turn = ++wanted;
    /* At once, while this is still the answer to a key or a click: browsers start no sound otherwise. */
    if (!context) connect();
    mix();
    await Promise.all([ready, context.resume()]);
    if (turn !== wanted) return; /* another wish came while this one waited */
    halt();
    position = from ?? (position >= data.duration - 0.05 ? 0 : position);
    until = Math.min(to ?? data.duration, data.duration);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(gains.input);
    source.onended = () => { if (node === source) { node = null; position = until; onState(); } };
    startedAt = context.currentTime;
    source.start(0, shift + position, Math.max(0.02, until - position));
    node = source;
    onState();
  }

  function pause() {
    wanted++;
    halt();
    onState();
  }

  function seek(t) {
    const to = Math.min(Math.max(0, t), data.duration);
    if (node) return play(to);
    position = to;
    onState();
    return Promise.resolve();
  }

  return {
    ready, play, pause, seek, now,
    hear(which) { side = which; mix(); },
    get playing() { return node !== null; },
    get until() { return until; },
    get sound() { return { buffer, shift }; },
  };
}
