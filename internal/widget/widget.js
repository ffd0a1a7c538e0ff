// <laurel-widget client-key="…" member-token="…">, described in docs/widget.md, shows a member's points and what to earn.
"use strict";
(() => {
	const home = new URL(".", document.currentScript?.src ?? location.href).href.replace(/\/$/, "");

	const english = {
		title: "Your rewards", balance: "Your points", rank: "Rank", quests: "Quests", badges: "Badges", leaderboard: "Leaderboard",
		loading: "Loading…", failed: "This could not be loaded.", retry: "Try again", signIn: "Sign in to see your points.",
		noPoints: "You have no points yet.", noQuests: "No quests at the moment.", noBadges: "No badges yet.",
		noLeaders: "No points yet.", done: "Done", you: "You", member: "Member", earned: "Earned", progress: "Progress",
	};

	const css = `
		:host { display: block; color-scheme: light dark; container-type: inline-size;
			--_paper: var(--laurel-background, light-dark(#fff, #17191d)); --_ink: var(--laurel-text, light-dark(#1d1f24, #eceef1));
			--_soft: var(--laurel-muted, light-dark(#5c616b, #a5abb6)); --_line: var(--laurel-border, light-dark(#dfe2e7, #363a42));
			--_fill: var(--laurel-surface, light-dark(#f4f5f7, #22252b)); --_main: var(--laurel-accent, light-dark(#2c6e49, #7cc79b));
			--_on-main: var(--laurel-on-accent, light-dark(#fff, #10241a)) }
		:host([theme=light]) { color-scheme: light }
		:host([theme=dark]) { color-scheme: dark }
		:host([hidden]) { display: none }
		* { box-sizing: border-box; margin: 0 }
		.box { background: var(--_paper); color: var(--_ink); border: 1px solid var(--_line); border-radius: var(--laurel-radius, 12px);
			font: var(--laurel-font, 16px/1.45 system-ui, sans-serif); overflow-wrap: anywhere }
		section { padding: 16px }
		section + section { border-top: 1px solid var(--_line) }
		h2 { font-size: 1em; font-weight: 600; margin-bottom: 8px }
		ul, ol { list-style: none; padding: 0; display: grid; gap: 8px }
		p, small { display: block; color: var(--_soft); font-size: .875em }
		.points { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline }
		.points b { font-size: 2em; line-height: 1.2; font-variant-numeric: tabular-nums }
		.row { display: flex; gap: 12px; align-items: center; background: var(--_fill); border-radius: 8px; padding: 8px 12px }
		.row > div { flex: 1; min-width: 0 }
		.end { font-weight: 600; white-space: nowrap; font-variant-numeric: tabular-nums }
		.me { outline: 2px solid var(--_main) }
		.place { min-width: 1.5em; color: var(--_soft); font-variant-numeric: tabular-nums }
		.chip { background: var(--_main); color: var(--_on-main); border-radius: 99px; padding: 2px 10px; font-size: .8125em; font-weight: 600 }
		.badges { grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)) }
		.badges li { text-align: center; font-size: .875em; background: var(--_fill); border-radius: 8px; padding: 12px 8px }
		.badges img, .badges i { display: block; width: 48px; height: 48px; margin: 0 auto 8px; border-radius: 50%; object-fit: cover;
			background: var(--_line); font: 600 20px/48px system-ui, sans-serif; color: var(--_ink) }
		.badges .locked img, .badges .locked i { filter: grayscale(1); opacity: .6 }
		progress { display: block; width: 100%; height: 6px; margin-top: 6px; appearance: none; border: 0; border-radius: 99px;
			background: var(--_line); overflow: hidden }
		progress::-webkit-progress-bar { background: var(--_line) }
		progress::-webkit-progress-value { background: var(--_main) }
		progress::-moz-progress-bar { background: var(--_main) }
		button { font: inherit; color: var(--_ink); background: var(--_fill); border: 1px solid var(--_line); border-radius: 8px;
			padding: 6px 12px; margin-top: 8px }
		button:focus-visible { outline: 2px solid var(--_main) }
		.wait { height: 3em; border-radius: 8px; background: var(--_fill) }
		@container (min-width: 640px) {
			.box { display: grid; grid-template-columns: 1fr 1fr }
			.wide, :last-child:nth-child(odd of section:not(.wide)) { grid-column: 1 / -1 }
			section:nth-child(even of :not(.wide)) { border-left: 1px solid var(--_line) }
		}`;

	/** Makes an element. Texts become text nodes, so that no name can be markup. */
	function el(tag, attributes, ...children) {
		const made = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes ?? {})) {
			if (typeof value === "function") made.addEventListener(name, value);
			else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
		}
		made.append(...children.flat().filter((child) => child != null && child !== false));
		return made;
	}

	/** What each part loads, and how it shows that. */
	const parts = {
		balance: {
			wide: true,
			load: (w) => Promise.all([w.me(), w.currency()]),
			show(w, [me, currency]) {
				if (!me) return el("p", null, w.text("signIn"));
				const mine = w.mine(me, currency);
				if (!mine) return el("p", null, w.text("noPoints"));
				return el("div", { class: "points" },
					el("span", null, el("b", null, w.number(mine.amount)), ` ${currency.symbol}`),
					mine.rank != null && el("small", null, `${w.text("rank")} ${typeof mine.rank === "number" ? w.number(mine.rank) : mine.rank}`));
			},
		},
		quests: {
			async load(w) {
				const [me, currency, { data }] = await Promise.all([w.me(), w.currency(), w.get("loyalty/rules", { isActive: true, limit: 100 })]);
				const rules = data.filter((rule) => !rule.hideInUi && !rule.isSpecial);
				if (!me || rules.length === 0) return { rules, currency, done: new Set(), progress: new Map() };
				const [entries, statuses] = await Promise.all([
					w.get("loyalty/transaction_entries", { userId: me.id, userCompletedLoyaltyRuleId: rules.map((rule) => rule.id), limit: 100 }),
					w.get("loyalty/rule_statuses", { userId: me.id, limit: 1000 }),
				]);
				return {
					rules, currency, done: new Set(entries.data.map((entry) => entry.loyaltyTransaction.loyaltyRule?.id)),
					progress: new Map(statuses.data.map((status) => [status.loyaltyRuleId, status.progress])),
				};
			},
			show(w, { rules, currency, done, progress }) {
				if (rules.length === 0) return el("p", null, w.text("noQuests"));
				const order = (rule) => (done.has(rule.id) ? 2 : rule.trackProgress && progress.get(rule.id) ? 0 : 1);
				return el("ul", { role: "list" }, rules.sort((a, b) => order(a) - order(b)).slice(0, w.limit).map((rule) => {
					const isDone = done.has(rule.id);
					const points = rule.rewardType === "points" && rule.amount > 0 && rule.loyaltyCurrencyId === currency?.id && !rule.metadata?.rewardPerValue;
					return el("li", { class: "row" },
						el("div", null, rule.name, rule.description && el("small", null, rule.description),
							rule.trackProgress && !isDone && w.bar(progress.get(rule.id) ?? 0, 100, rule.name)),
						isDone ? el("span", { class: "chip" }, w.text("done"))
							: points && el("span", { class: "end" }, `+${w.number(rule.amount)} ${currency.symbol}`));
				}));
			},
		},
		badges: {
			async load(w) {
				const me = await w.me();
				const { data } = await w.get("loyalty/badges", { limit: 100, userId: me?.id });
				return data.map((badge) => ({ badge, own: me && badge.loyaltyBadgeUsers.find((row) => row.userId === me.id) }));
			},
			show(w, badges) {
				const shown = badges.filter(({ own }) => !own?.hideInUi && !own?.dismissedInUi);
				if (shown.length === 0) return el("p", null, w.text("noBadges"));
				const has = ({ own }) => own?.status === "active";
				return el("ul", { class: "badges", role: "list" }, shown.sort((a, b) => has(b) - has(a)).slice(0, w.limit).map((one) => {
					const { badge, own } = one;
					const next = !has(one) && own?.progress.find((step) => !step.complete && step.required > 0);
					return el("li", { class: !has(one) && "locked", title: badge.description },
						w.picture(badge), badge.name,
						has(one) && el("small", null, w.text("earned")),
						next && w.bar(next.current, next.required, badge.name));
				}));
			},
		},
		leaderboard: {
			async load(w) {
				const [me, currency] = await Promise.all([w.me(), w.currency()]);
				const { data } = currency ? await w.get("loyalty/accounts", { loyaltyCurrencyId: currency.id, limit: w.limit }) : { data: [] };
				return { me, currency, leaders: data.filter((account) => account.amount > 0) };
			},
			show(w, { me, currency, leaders }) {
				if (leaders.length === 0) return el("p", null, w.text("noLeaders"));
				const rows = leaders.map((account) => ({
					place: leaders.findIndex((other) => other.amount === account.amount) + 1,
					amount: account.amount, isMe: me && account.userId === me.id, name: w.nameOf(account.user),
				}));
				const mine = w.mine(me, currency);
				if (mine?.rank != null && !rows.some((row) => row.isMe)) rows.push({ place: mine.rank, amount: mine.amount, isMe: true });
				return el("ol", { role: "list" }, rows.map((row) => el("li", { class: row.isMe ? "row me" : "row" },
					el("span", { class: "place" }, String(row.place)), el("div", null, row.isMe ? w.text("you") : row.name),
					el("span", { class: "end" }, `${w.number(row.amount)} ${currency.symbol}`))));
			},
		},
	};

	class LaurelWidget extends HTMLElement {
		static observedAttributes = ["server", "client-key", "member-token", "currency", "parts", "limit", "texts", "lang"];
		#run = 0;
		#answers = new Map();
		#refused; // the token that the server has refused
		#asked = 0; // how often the page was asked for a token

		constructor() {
			super();
			const sheet = new CSSStyleSheet(); // allowed by policies without inline styles
			sheet.replaceSync(css);
			this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
		}

		connectedCallback() {
			this.refresh();
		}

		attributeChangedCallback(name, before, after) {
			if (this.isConnected && (before ?? "") !== (after ?? "")) this.refresh();
		}

		/** Loads everything again. Attributes that change together load it once. */
		async refresh() {
			const run = ++this.#run;
			await null;
			if (run !== this.#run || !this.isConnected) return;
			this.#answers.clear();
			const names = this.getAttribute("parts")?.split(/[\s,]+/).filter((name) => name in parts) ?? Object.keys(parts);
			const box = el("div", { class: "box", role: "group", "aria-label": this.text("title"), part: "box" });
			this.shadowRoot.replaceChildren(box);
			await Promise.all(names.map((name) => {
				const section = el("section", { class: parts[name].wide ? "wide" : false, "aria-labelledby": name, part: name });
				box.append(section);
				return this.#fill(section, name, run);
			}));
			if (run !== this.#run) return;
			this.#tell("laurel-loaded");
			if (!this.token && (this.#refused || !this.#asked)) this.#needToken();
		}

		#tell(type, detail) {
			this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
		}

		/** Asks the page for a token, and waits longer each time until one is good. */
		#needToken() {
			const wait = this.#asked && 2 ** Math.min(this.#asked, 6) * 1000;
			this.#asked++;
			setTimeout(() => this.isConnected && !this.token && this.#tell("laurel-token-needed"), wait);
		}

		get token() {
			const token = this.getAttribute("member-token") || null;
			return token !== this.#refused ? token : null;
		}

		async #fill(section, name, run) {
			const put = (...children) => run === this.#run && section.replaceChildren(el("h2", { id: name }, this.text(name)), ...children);
			section.setAttribute("aria-busy", "true");
			put(el("div", { class: "wait", role: "status", "aria-label": this.text("loading") }));
			try {
				put(parts[name].show(this, await parts[name].load(this)));
			} catch (error) {
				const retry = () => (this.#answers.clear(), this.#fill(section, name, run));
				put(el("p", { role: "alert" }, this.text("failed")), el("button", { type: "button", click: retry }, this.text("retry")));
				if (run === this.#run) this.#tell("laurel-error", { part: name, error });
			}
			section.removeAttribute("aria-busy");
		}

		/** Calls the API. Parts that need the same answer share it. */
		get(path, query) {
			const url = new URL(`${(this.getAttribute("server") ?? home).replace(/\/$/, "")}/api/${path}`, location.href);
			for (const [name, value] of Object.entries(query ?? {})) {
				if (value != null) for (const one of [value].flat()) url.searchParams.append(name, one);
			}
			if (!this.#answers.has(url.href)) this.#answers.set(url.href, this.#call(url));
			return this.#answers.get(url.href);
		}

		async #call(url) {
			const headers = { "X-API-KEY": this.getAttribute("client-key") ?? "" };
			const { token } = this;
			if (token) headers.Authorization = `Bearer ${token}`;
			const response = await fetch(url, { headers, credentials: "omit" });
			if (response.ok) return response.json();
			const error = Object.assign(new Error(`status ${response.status}`), await response.json().catch(() => null));
			if (token && token === this.token && error.code === "member_token_required") {
				this.#refused = token;
				this.refresh(); // as for nobody
			}
			throw error;
		}

		async me() {
			const me = this.token && (await this.get("users/me"));
			if (me) this.#asked = 0;
			return me;
		}

		async currency() {
			const { data } = await this.get("loyalty/currencies", { limit: 100 });
			const chosen = this.getAttribute("currency");
			return chosen ? data.find((currency) => currency.id === chosen) : data[0];
		}

		mine(me, currency) {
			return me?.accounts.find((account) => account.loyaltyCurrencyId === currency?.id);
		}

		get limit() {
			return Math.min(Math.max(Math.trunc(Number(this.getAttribute("limit"))) || 5, 1), 50);
		}

		text(name) {
			try {
				return String(JSON.parse(this.getAttribute("texts") ?? "{}")[name] ?? english[name]);
			} catch {
				return english[name];
			}
		}

		number(value) {
			const lang = this.getAttribute("lang") || this.closest("[lang]")?.lang || undefined;
			try {
				return new Intl.NumberFormat(lang, { maximumFractionDigits: 6 }).format(value);
			} catch {
				return String(value);
			}
		}

		bar(value, max, label) {
			return el("progress", { value: Math.min(value, max), max, "aria-label": `${this.text("progress")}: ${label}` });
		}

		picture(badge) {
			const letter = () => el("i", { "aria-hidden": "true" }, [...badge.name][0] ?? "");
			if (!/^(https?:\/\/|\/)/.test(badge.imageUrl ?? "")) return letter();
			const base = new URL(`${this.getAttribute("server") ?? home}/`, location.href);
			const src = new URL(badge.imageUrl, base).href;
			const image = el("img", { src, alt: "", loading: "lazy", error: () => image.replaceWith(letter()) });
			return image;
		}

		nameOf(user) {
			const name = user?.userMetadata?.[0]?.displayName;
			const wallet = user?.walletAddress;
			return name || (wallet?.length > 14 ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : wallet) || this.text("member");
		}
	}

	if (!customElements.get("laurel-widget")) customElements.define("laurel-widget", LaurelWidget);
})();
