package content

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

var fileRoutes = []route{
	web.Get("/files", admins.SeeProgram, "files", filesPage),
	web.Get("/files/files.csv", admins.SeeProgram, "files", exportFiles),
	web.Post("/files", admins.ChangeProgram, "files", "uploaded a file", uploadFile),
	web.Get("/files/{file}/delete", admins.ChangeProgram, "files", confirmDeleteFile),
	web.Post("/files/{file}/delete", admins.ChangeProgram, "files", "deleted a file", deleteFile),
}

// fileRow is a file of the list.
type fileRow struct {
	content.Asset
	Who  parts.Person // the member whose file it is; without id: none
	Type string       // the ending of its name
}

// Waits reports whether the file was announced and not yet uploaded.
func (r fileRow) Waits() bool { return r.UploadedAt.IsZero() }

// Thumb returns the file's address if lists show it as a picture. It is empty for other files, large pictures, and
// files that are not uploaded yet.
func (r fileRow) Thumb() string {
	isPicture := slices.Contains([]string{"png", "jpg", "jpeg", "gif", "webp"}, r.Type)
	if r.Waits() || !isPicture || r.Size > web.MaxPictureBytes {
		return ""
	}
	return r.URL
}

// TypeLabel returns the type of the file in capitals, such as CSV.
func (r fileRow) TypeLabel() string { return strings.ToUpper(r.Type) }

// IsPublic reports whether the file is one that pages show. Others are lists, which may contain members.
func (r fileRow) IsPublic() bool { return r.Type != "csv" && r.Type != "json" }

// filePurposes are the labels of the folders that files are stored in.
var filePurposes = web.Choices(
	"images", "Pictures", "videos", "Videos", "banners", "Banners", "fonts", "Fonts", "posts", "Member posts",
	"profiles", "Member profiles", "minting", "Minting", "loyalty", "Member lists for rules and badges",
	"tokenClaims", "Wallet lists for token claims", "dapps", "Apps",
)

// Purpose returns the label of the file's folder.
func (r fileRow) Purpose() string { return web.ChoiceLabel(filePurposes, r.Path) }

// filesData is the data of the page of files.
type filesData struct {
	web.Refusal
	Files    []fileRow
	Pager    web.Pager
	Usage    content.Usage
	Purposes []web.Choice
	Purpose  string // that was chosen in the form
}

// Share returns how much of the storage quota is used, in percent, at most 100.
func (d filesData) Share() int64 {
	if d.Usage.Quota <= 0 {
		return 100
	}
	return min(100, d.Usage.Bytes*100/d.Usage.Quota)
}

// byteSize writes a number of bytes in its largest unit, such as "1.4 MiB".
func byteSize(n int64) string {
	switch {
	case n < 1<<10:
		return web.Plural(n, "byte", "bytes")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func fileID(a content.Asset) laurel.ID { return a.ID }

func (c *call) listFiles(page laurel.PageRequest) (laurel.Page[content.Asset], error) {
	return c.Content.List(c.Context(), c.Scope.At(c.Site.ID), nil, page)
}

// fileRows adds to each file the member whose file it is, and the ending of its name.
func (c *call) fileRows(list []content.Asset) ([]fileRow, error) {
	people, err := c.ReadPeople(web.UniqueIDs(list, func(a content.Asset) laurel.ID { return a.UserID }))
	out := make([]fileRow, len(list))
	for i, a := range list {
		out[i] = fileRow{a, people[a.UserID], strings.ToLower(strings.TrimPrefix(path.Ext(a.Name), "."))}
	}
	return out, err
}

// filesPage shows a page of the website's files, with the used storage.
func filesPage(c *call) (web.View, error) {
	data, err := c.readFilesData()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("files", "Files", data)
}

// readFilesData reads a page of the website's files, and how much storage they use.
func (c *call) readFilesData() (filesData, error) {
	data := filesData{Purposes: filePurposes}
	page, err := c.PageRequest()
	if err != nil {
		return data, err
	}
	list, err := c.listFiles(page)
	if err != nil {
		return data, err
	}
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, fileID))
	if data.Files, err = c.fileRows(list.Data); err != nil {
		return data, err
	}
	data.Usage, err = c.Content.Usage(c.Context(), c.Scope.At(c.Site.ID))
	return data, err
}

// exportFiles exports the list of files as CSV. Lists (CSV and JSON files) may contain members, so roles that may not
// change the program do not get their addresses.
func exportFiles(c *call) (web.View, error) {
	rows := func(list []content.Asset) ([][]string, error) {
		found, err := c.fileRows(list)
		return web.CellRows(found, func(r fileRow) []string {
			address := r.URL
			if !r.IsPublic() && !c.May(admins.ChangeProgram) {
				address = ""
			}
			return []string{
				web.IdCell(r.ID), r.Name, r.Path, strconv.FormatInt(r.Size, 10), address, web.IdCell(r.UserID), r.Who.Name,
				web.TimeCell(r.CreatedAt), web.TimeCell(r.UploadedAt), web.TimeCell(r.ExpiresAt),
			}
		}), err
	}
	head := []string{"id", "name", "for", "bytes", "address", "member", "memberName", "made", "arrived", "waitsUntil"}
	return web.ExportCSV("files.csv", head, web.PagedRows(c.listFiles, fileID, rows))
}

// uploadFile stores an uploaded file. If it is refused, the page of files is shown with the faults. Name and size have
// one field in the form, so their faults are shown there.
func uploadFile(c *call) (web.View, error) {
	f, err := c.ReceiveFileUpTo("file", content.MaxSize)
	if err == nil {
		defer func() { _ = f.Close() }()
		_, err = c.StoreFile(f, path.Ext(f.Name), c.PostFormValue("filePath"))
	}
	if err == nil {
		return c.Redirect(c.SitePath("files"), "File uploaded. You can use its URL right away.")
	}
	data, readErr := c.readFilesData()
	if readErr != nil {
		return web.View{}, readErr
	}
	data.Purpose = c.PostFormValue("filePath")
	return c.ShowRefused(err, "files", "Files", func(refusal web.Refusal) any {
		data.Refusal = refusal
		for _, name := range []string{"fileName", "fileSize"} {
			if fault := refusal.Faults[name]; fault != "" {
				data.Faults["file"] = strings.TrimPrefix(fault, "FileName ")
				delete(data.Faults, name)
			}
		}
		return data
	})
}

// getFile returns the file whose id is in the path. A malformed or unknown id is not found.
func (c *call) getFile() (fileRow, error) {
	id, err := c.PathID("file", "File")
	if err != nil {
		return fileRow{}, err
	}
	file, err := c.Content.Get(c.Context(), c.Scope.At(c.Site.ID), id)
	if err != nil {
		return fileRow{}, err
	}
	rows, err := c.fileRows([]content.Asset{file})
	return rows[0], err
}

// confirmDeleteFile shows the page that asks before a file is deleted.
func confirmDeleteFile(c *call) (web.View, error) {
	f, err := c.getFile()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("file-delete", "Delete "+f.Name+"?", f)
}

// deleteFile deletes a file. Its address stops working.
func deleteFile(c *call) (web.View, error) {
	f, err := c.getFile()
	if err == nil {
		anyOwner := laurel.ID{}
		err = c.Content.Delete(c.Context(), c.Scope.At(c.Site.ID), f.ID, anyOwner)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("files"), f.Name+" deleted. Its URL no longer works.")
}
