package httpapi

import (
	"context"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"laurel"
	"laurel/internal/content"
	"laurel/internal/identity"
)

type createAssetInput struct {
	Body createAssetInputBody
}

type createAssetInputBody struct {
	TenantBody
	FileName laurel.Optional[string]    `json:"fileName,omitzero"`
	FileSize laurel.Optional[int64]     `json:"fileSize,omitzero" doc:"Bytes"`
	FilePath laurel.Optional[string]    `json:"filePath,omitzero" doc:"Default images"`
	UserID   laurel.Optional[laurel.ID] `json:"userId,omitzero" doc:"Whose file it is"`
}

// Bounds answers what the properties accept.
func (createAssetInputBody) Bounds() laurel.Bounds { return content.CreateInput{}.Bounds() }

type createdAsset struct {
	SignedURL string `json:"signedUrl"`
	URL       string `json:"url"`
}

// ofClients are the files that publishable keys may upload (contract 1.2).
var ofClients = []string{"profiles", "posts"}

func (a *API) createAsset(ctx context.Context, in *createAssetInput) (*answer[createdAsset], error) {
	b := in.Body
	scope, err := a.narrowToWebsite(ctx, b.OrganizationID, b.WebsiteID)
	if err != nil {
		return nil, err
	}
	call := content.CreateInput{FileName: b.FileName.Value, FileSize: b.FileSize.Value, FilePath: b.FilePath.Value, UserID: b.UserID.Value, Base: a.publicURL(ctx)}
	if public, err := url.Parse(call.Base); err == nil {
		call.Host = public.Host
	}
	var f laurel.Faults
	call.Validate(&f)
	if len(f) > 0 {
		return nil, f.Err()
	}
	if scope.Role == laurel.RoleClient && !slices.Contains(ofClients, call.FilePath) {
		return nil, errKeyKind
	}
	if b.UserID.Set && !b.UserID.Null {
		ref := Named{UserID: b.UserID}.ref()
		if err := a.names(ctx, scope, ref); err != nil {
			return nil, err
		}
	}
	made, err := a.cfg.Content.Create(ctx, scope, call)
	return answerOf(made, err, func(c content.Created) createdAsset { return createdAsset(c) })
}

// names checks that a body may name a user that exists.
func (a *API) names(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
	if scope.Role == laurel.RoleClient {
		if err := a.speaks(ctx, scope, ref); err != nil {
			return err
		}
	}
	_, err := a.cfg.Identity.Person(ctx, scope, ref)
	return err
}

// publicURL is the address of the service as others see it, prefix included.
func (a *API) publicURL(ctx context.Context) string {
	if a.cfg.PublicURL != "" {
		return strings.TrimSuffix(a.cfg.PublicURL, "/")
	}
	return requestOf(ctx).base + a.cfg.Prefix
}

// baseOf answers scheme and host of the service as the caller sees them. A proxy that is trusted tells the scheme; the host is the one that was asked for.
func baseOf(r *http.Request, trusted []netip.Prefix) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	inside := func(p netip.Prefix) bool { return p.Contains(peer.Addr().Unmap()) }
	if proto := r.Header.Get("X-Forwarded-Proto"); err == nil && (proto == "http" || proto == "https") && slices.ContainsFunc(trusted, inside) {
		scheme = proto
	}
	return scheme + "://" + r.Host
}

// addFiles adds the addresses of files, which need no key (contract 1.1).
func (a *API) addFiles(mux *chi.Mux) {
	mux.Put("/uploads/{token}", a.upload)
	mux.Get("/files/*", a.file)
}

type uploaded struct {
	URL string `json:"url"`
}

// upload takes the bytes of an announced file. Who guesses tokens is counted like who guesses keys.
func (a *API) upload(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	w.Header().Set("Access-Control-Allow-Origin", "*") // the token is all that counts
	requestOf(ctx).route = "PUT /uploads/{token}"
	stop := a.readWithin(w, content.UploadLife)
	path, err := a.cfg.Content.Upload(ctx, chi.URLParam(r, "token"), r.ContentLength, http.MaxBytesReader(w, r.Body, content.MaxSize+1))
	stop()
	if laurel.CodeOf(err) == laurel.NotFound {
		err = a.limits.failed.take(ctx, requestOf(ctx).remote.String(), err)
	}
	if err != nil {
		w.Header().Set("Connection", "close") // what is left of the body is not read
		a.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, uploaded{URL: a.publicURL(ctx) + path})
}

// file answers the bytes of an uploaded file. A browser takes them for what their extension says and for nothing else, and runs nothing of them.
func (a *API) file(w http.ResponseWriter, r *http.Request) {
	requestOf(r.Context()).route = "GET /files/{file}"
	file, err := a.cfg.Content.Open(chi.URLParam(r, "*"))
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer func() { _ = file.Close() }()
	h := w.Header()
	h.Set("Content-Type", file.Type)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", `"`+file.Tag+`"`)
	if !file.Inline {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]}))
	}
	http.ServeContent(w, r, "", time.Time{}, file)
}
