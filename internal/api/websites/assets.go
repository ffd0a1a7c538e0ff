package websites

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/identity"
)

type createAssetInput struct {
	Body createAssetInputBody
}

type createAssetInputBody struct {
	rest.TenantBody
	FileName laurel.Optional[string]    `json:"fileName,omitzero"`
	FileSize laurel.Optional[int64]     `json:"fileSize,omitzero" doc:"Bytes"`
	FilePath laurel.Optional[string]    `json:"filePath,omitzero" doc:"Default images"`
	UserID   laurel.Optional[laurel.ID] `json:"userId,omitzero" doc:"The user who owns the file; through client keys the member token's user"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createAssetInputBody) Bounds() laurel.Bounds { return content.CreateInput{}.Bounds() }

type createdAsset struct {
	ID        laurel.ID `json:"id"`
	SignedURL string    `json:"signedUrl"`
	URL       string    `json:"url"`
}

// clientFileKinds are the kinds of files that client keys may upload (contract 1.2).
var clientFileKinds = []string{"profiles", "posts"}

// createAsset announces a file and returns the signed url to which its bytes are sent. Client keys may announce some
// kinds of files only, for the member of their token.
func (h *handlers) createAsset(ctx context.Context, in *createAssetInput) (*rest.Response[createdAsset], error) {
	b := in.Body
	scope, err := h.Caller.NarrowToWebsite(ctx, b.OrganizationID, b.WebsiteID)
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient && !slices.Contains(clientFileKinds, b.FilePath.Value) {
		return nil, rest.ErrKeyKind
	}
	input := content.CreateInput{FileName: b.FileName.Value, FileSize: b.FileSize, FilePath: b.FilePath.Value}
	if input.UserID, err = h.fileOwner(ctx, scope, b.UserID); err != nil {
		return nil, err
	}
	var f laurel.Faults
	input.Validate(&f)
	if len(f) > 0 {
		return nil, f.Err()
	}
	if !input.UserID.IsZero() {
		if _, err := h.Identity.Person(ctx, scope, identity.Ref{UserID: input.UserID}); err != nil {
			return nil, err
		}
	}
	created, err := h.Content.Create(ctx, scope, input)
	return rest.ResponseOf(created, err, func(c content.Created) createdAsset { return createdAsset(c) })
}

// fileOwner returns the user who owns a file; zero if the call names none. With a client key it is the member of the
// token; the call may name that member too. Users unknown to the website cannot store files.
func (h *handlers) fileOwner(
	ctx context.Context, scope laurel.Scope, userID laurel.Optional[laurel.ID],
) (laurel.ID, error) {
	ref := caller.NamedUser{UserID: userID}.Ref()
	if scope.Role != laurel.RoleClient {
		return ref.UserID, nil
	}
	// The token is needed even if the website trusts client keys: ids of members are public, and storage is not.
	member, err := rest.MemberOf(ctx)
	if err != nil || ref.UserID.IsZero() {
		return member, err
	}
	return ref.UserID, h.Identity.CheckTokenUser(ctx, scope, member, ref)
}

// asset is a file in lists.
type asset struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	UserID         *laurel.ID        `json:"userId" doc:"The user who owns the file; null: none"`
	FileName       string            `json:"fileName" doc:"As the url holds it"`
	FileSize       int64             `json:"fileSize" doc:"Bytes"`
	FilePath       string            `json:"filePath"`
	URL            string            `json:"url"`
	ExpiresAt      *laurel.Timestamp `json:"expiresAt" doc:"Until when it can be uploaded; null once it was"`
	UploadedAt     *laurel.Timestamp `json:"uploadedAt" doc:"null until it was uploaded"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
}

// shapeAsset returns a file as responses show it.
func shapeAsset(f content.Asset) asset {
	return asset{ID: f.ID, OrganizationID: f.OrganizationID, WebsiteID: f.WebsiteID, UserID: f.UserID.Ptr(),
		FileName: f.Name, FileSize: f.Size, FilePath: f.Path, URL: f.URL,
		ExpiresAt: laurel.Stamp(f.ExpiresAt), UploadedAt: laurel.Stamp(f.UploadedAt),
		CreatedAt: laurel.Timestamp{Time: f.CreatedAt}}
}

type listAssetsInput struct {
	rest.Paging
	UserID rest.IDs `query:"userId" doc:"Users who own the files"`
}

// listAssets returns a page of files.
func (h *handlers) listAssets(ctx context.Context, in *listAssetsInput) (*rest.Page[asset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Content.List(ctx, scope, in.UserID.Values, in.Page())
	return rest.ListOf(page, err, shapeAsset)
}

type getAssetInput struct {
	rest.PathID
	rest.Tenant
}

// getAsset returns a file.
func (h *handlers) getAsset(ctx context.Context, in *getAssetInput) (*rest.Response[asset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	found, err := h.Content.Get(ctx, scope, in.ID.ID)
	return rest.ResponseOf(found, err, shapeAsset)
}

type deleteAssetInput struct {
	rest.PathID
	rest.Tenant
}

// deleteAsset deletes a file; with a client key only one of its token's member.
func (h *handlers) deleteAsset(ctx context.Context, in *deleteAssetInput) (*rest.Response[rest.IDBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	owner, err := h.fileOwner(ctx, scope, laurel.Optional[laurel.ID]{})
	if err != nil {
		return nil, err
	}
	err = h.Content.Delete(ctx, scope, in.ID.ID, owner)
	return rest.ResponseOf(in.ID.ID, err, func(id laurel.ID) rest.IDBody { return rest.IDBody{ID: id} })
}

type uploaded struct {
	URL string `json:"url"`
}

// upload stores the bytes of an announced file. The token in the path says which. An address that sends too many wrong
// tokens is limited; wrong API keys count separately.
func (h *handlers) upload(x *rest.Exchange) error {
	x.Writer.Header().Set("Access-Control-Allow-Origin", "*") // the token alone authorizes the upload
	var address string
	err := x.LimitGuesses(func() (err error) {
		r := x.Request
		// One byte more than a file may have, so that Upload finds out that a file is too large.
		body := x.AwaitBody(content.MaxSize+1, content.UploadLifetime)
		address, err = h.Content.Upload(r.Context(), r.PathValue("token"), r.ContentLength, body)
		return err
	})
	if err != nil {
		x.Writer.Header().Set("Connection", "close") // the rest of the body is not read
		return err
	}
	x.WriteJSON(http.StatusOK, uploaded{URL: address})
	return nil
}

// file returns the bytes of an uploaded file. Headers make a browser treat it by its extension only, and run no scripts
// in it.
func (h *handlers) file(x *rest.Exchange) error {
	r := x.Request
	file, err := h.Content.Open(r.Context(), r.PathValue("*"))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	header := x.Writer.Header()
	header.Set("Content-Type", file.Type)
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("ETag", `"`+file.Tag+`"`)
	if !file.Inline {
		header.Set(
			"Content-Disposition",
			mime.FormatMediaType(
				"attachment",
				map[string]string{"filename": r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]},
			),
		)
	}
	http.ServeContent(x.Writer, r, "", time.Time{}, file) // no name and no time: Content-Type and ETag are set
	return nil
}
