package api

import (
	"context"
	"mime"
	"net/http"
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
	UserID   laurel.Optional[laurel.ID] `json:"userId,omitzero" doc:"Whose file it is; through client keys the member token's user"`
}

// Bounds returns what the properties accept.
func (createAssetInputBody) Bounds() laurel.Bounds { return content.CreateInput{}.Bounds() }

type createdAsset struct {
	ID        laurel.ID `json:"id"`
	SignedURL string    `json:"signedUrl"`
	URL       string    `json:"url"`
}

// ofClients are the files that publishable keys may upload (contract 1.2).
var ofClients = []string{"profiles", "posts"}

func (a *API) createAsset(ctx context.Context, in *createAssetInput) (*answer[createdAsset], error) {
	b := in.Body
	scope, err := a.narrowToWebsite(ctx, b.OrganizationID, b.WebsiteID)
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient && !slices.Contains(ofClients, b.FilePath.Value) {
		return nil, errKeyKind
	}
	call := content.CreateInput{FileName: b.FileName.Value, FileSize: b.FileSize, FilePath: b.FilePath.Value}
	if call.UserID, err = a.owner(ctx, scope, b.UserID); err != nil {
		return nil, err
	}
	var f laurel.Faults
	call.Validate(&f)
	if len(f) > 0 {
		return nil, f.Err()
	}
	if !call.UserID.IsZero() {
		if _, err := a.cfg.Identity.Person(ctx, scope, identity.Ref{UserID: call.UserID}); err != nil {
			return nil, err
		}
	}
	made, err := a.cfg.Content.Create(ctx, scope, call)
	return answerOf(made, err, func(c content.Created) createdAsset { return createdAsset(c) })
}

// owner returns whose file a call is about; zero where it names nobody. A publishable key has a file only for a
// member, whom it shows the token of: nobody stores anything here whom the website does not know.
func (a *API) owner(ctx context.Context, scope laurel.Scope, named laurel.Optional[laurel.ID]) (laurel.ID, error) {
	ref := Named{UserID: named}.ref()
	if scope.Role != laurel.RoleClient {
		return ref.UserID, nil
	}
	member, err := a.member(ctx) // also where the website trusts its pages: ids of members are public, space is not
	if err != nil || ref.UserID.IsZero() {
		return member, err
	}
	return ref.UserID, a.cfg.Identity.Speaks(ctx, scope, member, ref)
}

// asset is a file as lists tell of it.
type asset struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	UserID         *laurel.ID        `json:"userId" doc:"Whose file it is; null: nobody's in particular"`
	FileName       string            `json:"fileName" doc:"As the url holds it"`
	FileSize       int64             `json:"fileSize" doc:"Bytes"`
	FilePath       string            `json:"filePath"`
	URL            string            `json:"url"`
	ExpiresAt      *laurel.Timestamp `json:"expiresAt" doc:"Until when it can be sent; null once it was"`
	UploadedAt     *laurel.Timestamp `json:"uploadedAt" doc:"null until it was sent"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
}

func shapeAsset(f content.Asset) asset {
	return asset{ID: f.ID, OrganizationID: f.OrganizationID, WebsiteID: f.WebsiteID, UserID: f.UserID.Ptr(),
		FileName: f.Name, FileSize: f.Size, FilePath: f.Path, URL: f.URL,
		ExpiresAt: laurel.Stamp(f.ExpiresAt), UploadedAt: laurel.Stamp(f.UploadedAt),
		CreatedAt: laurel.Timestamp{Time: f.CreatedAt}}
}

type listAssetsInput struct {
	List
	UserID IDs `query:"userId" doc:"Whose files"`
}

func (a *API) listAssets(ctx context.Context, in *listAssetsInput) (*answer[list[asset]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Content.List(ctx, scope, in.UserID.Values, in.page())
	return listOf(page, err, shapeAsset)
}

type deleteAssetInput struct {
	PathID
	Tenant
}

func (a *API) deleteAsset(ctx context.Context, in *deleteAssetInput) (*answer[idBody], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	owner, err := a.owner(ctx, scope, laurel.Optional[laurel.ID]{})
	if err != nil {
		return nil, err
	}
	err = a.cfg.Content.Delete(ctx, scope, in.ID.ID, owner)
	return answerOf(in.ID.ID, err, func(id laurel.ID) idBody { return idBody{id} })
}

// addFiles adds the addresses of files, which need no key (contract 1.1).
func (a *API) addFiles(mux *chi.Mux) {
	mux.Put("/uploads/{token}", a.limited(a.upload))
	mux.Get("/files/*", a.file)
}

type uploaded struct {
	URL string `json:"url"`
}

// upload takes the bytes of an announced file. Who guesses tokens is counted, apart from who guesses keys,
// and then not looked up any more.
func (a *API) upload(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	w.Header().Set("Access-Control-Allow-Origin", "*") // the token is all that counts
	requestOf(ctx).route = "PUT /uploads/{token}"
	address, err := a.receive(w, r)
	if err != nil {
		w.Header().Set("Connection", "close") // what is left of the body is not read
		a.fail(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, uploaded{URL: address})
}

// receive returns the public address of the file that was sent.
func (a *API) receive(w http.ResponseWriter, r *http.Request) (string, error) {
	ctx := r.Context()
	spent, err := a.limits.uploads.spent(ctx, countedAs(requestOf(ctx).remote))
	if err != nil {
		return "", err
	}
	if spent != nil {
		return "", requestOf(ctx).refuse(*spent)
	}
	address, err := a.cfg.Content.Upload(ctx, chi.URLParam(r, "token"), r.ContentLength, a.awaitFile(w, r))
	if laurel.CodeOf(err) == laurel.NotFound {
		err = a.limits.uploads.take(ctx, countedAs(requestOf(ctx).remote), err)
	}
	return address, err
}

// file returns the bytes of an uploaded file. A browser takes them for what their extension says and for nothing else,
// and runs nothing of them.
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
		h.Set(
			"Content-Disposition",
			mime.FormatMediaType(
				"attachment",
				map[string]string{"filename": r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]},
			),
		)
	}
	http.ServeContent(w, r, "", time.Time{}, file)
}
