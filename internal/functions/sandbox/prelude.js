// The world of a handler. Everything that a handler may change is taken hold of before its code is read: what it does to
// the built-in objects changes its own run alone.
(function () {
  'use strict';
  const host = {};
  for (const name of ['log', 'fetch', 'digest', 'abi', 'url', 'result', 'fail', 'transaction', 'end']) {
    host[name] = globalThis['__laurel_' + name];
    delete globalThis['__laurel_' + name];
  }
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  const { freeze, defineProperty, keys: keysOf } = Object;
  const { isArray } = Array;
  const { fromCharCode } = String;
  const isView = ArrayBuffer.isView;
  const then = Promise.prototype.then;
  const resolved = Promise.resolve;
  const [NativePromise, NativeError, NativeTypeError, Bytes, NativeMap] = [Promise, Error, TypeError, Uint8Array, Map];
  const text = String;
  const hold = (f, ...rest) => (self, ...args) => apply(f, self, [...rest, ...args]);
  const slice = hold(String.prototype.slice);
  const codeAt = hold(String.prototype.charCodeAt);
  const toText = hold(Number.prototype.toString);
  const pad = hold(String.prototype.padStart);
  const lower = hold(String.prototype.toLowerCase);
  const join = hold(Array.prototype.join);
  const push = hold(Array.prototype.push);
  const get = hold(Map.prototype.get);
  const set = hold(Map.prototype.set);
  const drop = hold(Map.prototype.delete);

  const logged = 65536;
  const describe = (e) => {
    try {
      if (e instanceof NativeError) return slice(text(e.name) + ': ' + text(e.message), 0, 1000);
      if (typeof e === 'string') return slice(e, 0, 1000);
      const shown = stringify(e);
      return slice('threw ' + (shown === undefined ? typeof e : shown), 0, 1000);
    } catch {
      return 'threw something that cannot be shown';
    }
  };

  let open = true; // logs have room
  const show = (v) => {
    if (typeof v === 'string') return v;
    try {
      if (v instanceof NativeError) return describe(v) + (v.stack ? '\n' + text(v.stack) : '');
      const shown = stringify(v);
      return shown === undefined ? text(v) : shown;
    } catch {
      return '[cannot be shown]';
    }
  };
  const log = (...values) => {
    if (!open) return;
    let line = '';
    for (let i = 0; i < values.length && line.length <= logged; i++) line += (i ? ' ' : '') + show(values[i]);
    open = host.log(slice(line, 0, logged + 1));
  };
  const tool = (o) => { for (const k of keysOf(o)) if (typeof o[k] === 'function') freeze(o[k]); return freeze(o); };
  const expose = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true });
  expose('console', tool({ log, info: log, warn: log, error: log, debug: log }));

  const utf8 = (s) => {
    s = text(s);
    const out = [];
    for (let i = 0; i < s.length; i++) {
      let c = codeAt(s, i);
      if (c >= 0xd800 && c < 0xdc00 && i + 1 < s.length) {
        const d = codeAt(s, i + 1);
        if (d >= 0xdc00 && d < 0xe000) { c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00); i++; }
      }
      if (c >= 0xd800 && c < 0xe000) c = 0xfffd;
      if (c < 0x80) push(out, c);
      else if (c < 0x800) push(out, 0xc0 | c >> 6, 0x80 | c & 63);
      else if (c < 0x10000) push(out, 0xe0 | c >> 12, 0x80 | c >> 6 & 63, 0x80 | c & 63);
      else push(out, 0xf0 | c >> 18, 0x80 | c >> 12 & 63, 0x80 | c >> 6 & 63, 0x80 | c & 63);
    }
    return new Bytes(out);
  };
  expose('TextEncoder', class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(s = '') { return utf8(s); }
  });

  const bytes = (data, what) => {
    if (typeof data === 'string') return data;
    if (isView(data)) {
      let hex = '0x';
      const b = new Bytes(data.buffer, data.byteOffset, data.byteLength);
      for (let i = 0; i < b.length; i++) hex += pad(toText(b[i], 16), 2, '0');
      return hex;
    }
    throw new NativeTypeError(what + ' must be a text or bytes');
  };
  expose('crypto', tool({
    sha256: (data) => host.digest('sha256', bytes(data, 'data'), ''),
    hmacSha256: (key, data) => host.digest('hmacSha256', bytes(data, 'data'), bytes(key, 'key')),
    keccak256: (data) => host.digest('keccak256', bytes(data, 'data'), ''),
  }));
  expose('abi', tool({
    decode: (types, data) => {
      if (!isArray(types)) throw new NativeTypeError('types must be an array of texts');
      return parse(host.abi(stringify(types), bytes(data, 'data')));
    },
  }));

  const escape = (s) => {
    const b = utf8(s);
    let out = '';
    for (let i = 0; i < b.length; i++) {
      const c = b[i];
      const plain = c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 42 || c === 45 || c === 46 || c === 95;
      out += plain ? fromCharCode(c) : c === 32 ? '+' : '%' + pad(lower(toText(c, 16)), 2, '0').toUpperCase();
    }
    return out;
  };
  class URLSearchParams {
    #list = [];
    #changed = () => {};
    constructor(init = '', changed) {
      if (typeof changed === 'function') this.#changed = changed;
      if (typeof init === 'string') this.#list = parse(host.url('query', init, ''));
      else if (init instanceof URLSearchParams) this.#list = [...init];
      else if (isArray(init)) for (const [k, v] of init) push(this.#list, [text(k), text(v)]);
      else for (const k of keysOf(init)) push(this.#list, [k, text(init[k])]);
    }
    get(k) { const found = this.#list.find((p) => p[0] === text(k)); return found ? found[1] : null; }
    getAll(k) { return this.#list.filter((p) => p[0] === text(k)).map((p) => p[1]); }
    has(k) { return this.#list.some((p) => p[0] === text(k)); }
    append(k, v) { push(this.#list, [text(k), text(v)]); this.#changed(); }
    delete(k) { this.#list = this.#list.filter((p) => p[0] !== text(k)); this.#changed(); }
    set(k, v) {
      const at = this.#list.findIndex((p) => p[0] === text(k));
      if (at < 0) return this.append(k, v);
      this.#list = this.#list.filter((p, i) => i <= at || p[0] !== text(k));
      this.#list[at] = [text(k), text(v)];
      this.#changed();
    }
    sort() { this.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)); this.#changed(); }
    get size() { return this.#list.length; }
    forEach(f) { for (const [k, v] of this.#list) f(v, k, this); }
    * entries() { for (const [k, v] of this.#list) yield [k, v]; }
    * keys() { for (const [k] of this.#list) yield k; }
    * values() { for (const [, v] of this.#list) yield v; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return join(this.#list.map(([k, v]) => escape(k) + '=' + escape(v)), '&'); }
  }
  expose('URLSearchParams', URLSearchParams);
  expose('URL', class URL {
    #parts;
    #params;
    constructor(url, base) {
      this.#parts = parse(host.url('parse', text(url), base === undefined ? '' : text(base)));
      this.#params = new URLSearchParams(this.#parts.search, () => {
        const query = this.#params.toString();
        this.#parts.search = query && '?' + query;
      });
    }
    get protocol() { return this.#parts.protocol; }
    get username() { return this.#parts.username; }
    get password() { return this.#parts.password; }
    get hostname() { return this.#parts.hostname; }
    get port() { return this.#parts.port; }
    get host() { return this.hostname + (this.port && ':' + this.port); }
    get origin() { return this.protocol + '//' + this.host; }
    get pathname() { return this.#parts.pathname; }
    get search() { return this.#parts.search; }
    get hash() { return this.#parts.hash; }
    get searchParams() { return this.#params; }
    get href() {
      const who = this.username + (this.password && ':' + this.password);
      return this.protocol + '//' + (who && who + '@') + this.host + this.pathname + this.search + this.hash;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  });

  const waiting = new NativeMap();
  const answered = (a) => {
    const headers = a.headers;
    defineProperty(headers, 'get', { value: (name) => { const v = headers[lower(text(name))]; return v === undefined ? null : v; } });
    return freeze({
      status: a.status, ok: a.status >= 200 && a.status < 300, headers: freeze(headers),
      text: async () => a.body, json: async () => parse(a.body),
    });
  };
  expose('fetch', freeze((url, options = {}) => new NativePromise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options === null ? {} : options;
    const sent = {};
    for (const name of keysOf(headers)) sent[name] = text(headers[name]);
    const call = { url: text(url), method: text(method), headers: sent };
    if (body !== undefined && body !== null) call.body = text(body);
    set(waiting, host.fetch(stringify(call)), [resolve, reject]);
  })));

  expose('module', { exports: {} });
  expose('exports', globalThis.module.exports);

  const find = () => {
    const exported = globalThis.module && globalThis.module.exports;
    if (exported === null || typeof exported !== 'object' || typeof exported.handler !== 'function') {
      return 'module.exports.handler must be a function';
    }
    if (keysOf(exported).length !== 1) return 'module.exports must have exactly one handler and nothing else';
    if (exported.handler.length !== 2) return 'the handler must have two parameters, input and output';
    return '';
  };

  return {
    check: find,
    run: (input) => {
      const problem = find();
      if (problem) return host.end(problem);
      const handler = globalThis.module.exports.handler;
      const built = freeze({});
      const output = freeze({
        setResult: (value) => {
          const json = stringify(value);
          host.result(json === undefined ? 'null' : json);
        },
        fail: (message) => { host.fail(slice(text(message), 0, 1000)); },
        addTransaction: (t) => {
          const problem = host.transaction(stringify(t) || 'null');
          if (problem) throw new NativeError(problem);
        },
        buildOutput: () => built,
      });
      const failed = (e) => { host.end(describe(e) || 'the handler threw nothing'); };
      try {
        const returned = apply(resolved, NativePromise, [handler(parse(input), output)]);
        apply(then, returned, [
          (v) => { host.end(v === built ? '' : 'the handler must return output.buildOutput()'); }, failed,
        ]);
      } catch (e) {
        failed(e);
      }
    },
    settle: (id, problem, json) => {
      const promise = get(waiting, id);
      if (!promise) return;
      drop(waiting, id);
      if (problem) promise[1](new NativeError('fetch failed: ' + problem));
      else promise[0](answered(parse(json)));
    },
  };
})()
