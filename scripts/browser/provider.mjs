// A real OpenID Connect provider (npm oidc-provider) with a page on which anybody logs in by name, and a shop to which
// browsers return. Prints the address of both. Run by scripts/browser.sh.
import { createServer } from "node:http";
import { Provider, interactionPolicy } from "oidc-provider";

const listen = (server) => new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}`)));
const page = (response, body) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><main>${body}</main></html>`);
};

// who logs in has agreed, with native clients too
const policy = interactionPolicy.base();
policy.get("consent").checks.remove("native_client_prompt");

const server = createServer();
const issuer = await listen(server);
const provider = new Provider(issuer, {
  clients: [{
    client_id: "laurel",
    client_secret: "a secret of the client",
    // a port of a loopback address is free to choose for native clients (RFC 8252, 7.3)
    application_type: "native",
    redirect_uris: ["http://127.0.0.1/api/code_host/auth/callback", "http://127.0.0.1/admin/sign-in/callback"],
  }],
  claims: { openid: ["sub"], profile: ["preferred_username", "name"], email: ["email", "email_verified"] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({
    sub: id, preferred_username: `name-of-${id}`, name: `Name of ${id}`,
    email: `${id}@acme.example`, email_verified: !id.startsWith("unverified"),
  }) }),
  interactions: { policy, url: (_, interaction) => `/interaction/${interaction.uid}` },
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope("openid profile email");
    await grant.save();
    return grant;
  },
});

const serve = provider.callback();
server.on("request", async (request, response) => {
  if (!request.url.startsWith("/interaction/")) return serve(request, response);
  if (request.method === "GET") {
    return page(response, `<h1>Log in</h1><form method="post"><label>Name <input name="login"></label>
      <button name="choice" value="in">Log in</button><button name="choice" value="no">Cancel</button></form>`);
  }
  let body = "";
  for await (const part of request) body += part;
  const form = new URLSearchParams(body);
  const result = form.get("choice") === "in"
    ? { login: { accountId: form.get("login") } }
    : { error: "access_denied", error_description: "the member has cancelled" };
  await provider.interactionFinished(request, response, result);
});

const shop = createServer((request, response) => {
  const query = new URL(request.url, "http://shop").searchParams;
  page(response, `<h1>Shop</h1><p id="status">${query.get("status") ?? ""} ${query.get("error") ?? ""}</p>`);
});
console.log(`provider ${issuer}`);
console.log(`shop ${await listen(shop)}`);
