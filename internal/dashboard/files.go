package dashboard

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/content"
)

var fileRoutes = []route{
	get("/files", admins.SeeProgram, "files", filesPage),
	get("/files/files.csv", admins.SeeProgram, "files", exportFiles),
	post("/files", admins.ChangeProgram, "files", "uploaded a file", uploadFile),
	get("/files/{file}/delete", admins.ChangeProgram, "files", confirmDeleteFile),
	post("/files/{file}/delete", admins.ChangeProgram, "files", "deleted a file", deleteFile),
}

// fileRow is a file of the list.
type fileRow struct {
	content.Asset
	Who  person // the member whose file it is; without id: none
	Type string // the ending of its name
}

// Waits reports whether the file was announced and not yet uploaded.
func (r fileRow) Waits() bool { return r.UploadedAt.IsZero() }

// Thumb returns the file's address if lists show it as a picture. It is empty for other files, large pictures, and
// files that are not uploaded yet.
func (r fileRow) Thumb() string {
	isPicture := slices.Contains([]string{"png", "jpg", "jpeg", "gif", "webp"}, r.Type)
	if r.Waits() || !isPicture || r.Size > maxPictureBytes {
		return ""
	}
	return r.URL
}

// TypeLabel returns the type of the file in capitals, such as CSV.
func (r fileRow) TypeLabel() string { return strings.ToUpper(r.Type) }

// IsPublic reports whether the file is one that pages show. Others are lists, which may contain members.
func (r fileRow) IsPublic() bool { return r.Type != "csv" && r.Type != "json" }

// filePurposes are the labels of the folders that files are stored in.
var filePurposes = choicesOf(
	"images", "Pictures", "videos", "Videos", "banners", "Banners", "fonts", "Fonts", "posts", "Member posts",
	"profiles", "Member profiles", "minting", "Minting", "loyalty", "Member lists for rules and badges",
	"tokenClaims", "Wallet lists for token claims", "dapps", "Apps",
)

// Purpose returns the label of the file's folder.
func (r fileRow) Purpose() string { return choiceLabel(filePurposes, r.Path) }

// filesData is the data of the page of files.
type filesData struct {
	Files    []fileRow
	Pager    pager
	Usage    content.Usage
	Purposes []choice
	Purpose  string // that was chosen in the form
	Faults   map[string]string
	Error    string
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
		return plural(n, "byte", "bytes")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func fileID(a content.Asset) laurel.ID { return a.ID }

func (c *request) listFiles(page laurel.PageRequest) (laurel.Page[content.Asset], error) {
	return c.d.Content.List(c.Context(), c.scope.At(c.site.ID), nil, page)
}

// fileRows adds to each file the member whose file it is, and the ending of its name.
func (c *request) fileRows(list []content.Asset) ([]fileRow, error) {
	people, err := c.readPeople(uniqueIDs(list, func(a content.Asset) laurel.ID { return a.UserID }))
	out := make([]fileRow, len(list))
	for i, a := range list {
		out[i] = fileRow{a, people[a.UserID], strings.ToLower(strings.TrimPrefix(path.Ext(a.Name), "."))}
	}
	return out, err
}

// filesPage shows a page of the website's files, with the used storage.
func filesPage(c *request) (view, error) {
	data, err := c.readFilesData()
	if err != nil {
		return view{}, err
	}
	return pageView("files", "Files", data)
}

// readFilesData reads a page of the website's files, and how much storage they use.
func (c *request) readFilesData() (filesData, error) {
	data := filesData{Purposes: filePurposes}
	page, err := c.pageRequest()
	if err != nil {
		return data, err
	}
	list, err := c.listFiles(page)
	if err != nil {
		return data, err
	}
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, fileID))
	if data.Files, err = c.fileRows(list.Data); err != nil {
		return data, err
	}
	data.Usage, err = c.d.Content.Usage(c.Context(), c.scope.At(c.site.ID))
	return data, err
}

// exportFiles exports the list of files as CSV. Lists (CSV and JSON files) may contain members, so roles that may not
// change the program do not get their addresses.
func exportFiles(c *request) (view, error) {
	rows := func(list []content.Asset) ([][]string, error) {
		found, err := c.fileRows(list)
		return cellRows(found, func(r fileRow) []string {
			address := r.URL
			if !r.IsPublic() && !c.may(admins.ChangeProgram) {
				address = ""
			}
			return []string{
				idCell(r.ID), r.Name, r.Path, strconv.FormatInt(r.Size, 10), address, idCell(r.UserID), r.Who.Name,
				timeCell(r.CreatedAt), timeCell(r.UploadedAt), timeCell(r.ExpiresAt),
			}
		}), err
	}
	head := []string{"id", "name", "for", "bytes", "address", "member", "memberName", "made", "arrived", "waitsUntil"}
	return exportCSV("files.csv", head, pagedRows(c.listFiles, fileID, rows))
}

// uploadFile stores an uploaded file. If it is refused, the page of files is shown with the faults. Name and size have
// one field in the form, so their faults are shown there.
func uploadFile(c *request) (view, error) {
	f, err := c.receiveFileUpTo("file", content.MaxSize)
	if err == nil {
		defer func() { _ = f.Close() }()
		_, err = c.storeFile(f, path.Ext(f.Name), c.PostFormValue("filePath"))
	}
	if err == nil {
		return c.redirect(c.sitePath("files"), "File uploaded. You can use its URL right away.")
	}
	data, readErr := c.readFilesData()
	if readErr != nil {
		return view{}, readErr
	}
	data.Purpose = c.PostFormValue("filePath")
	return c.showRefused(err, "files", "Files", func(faults map[string]string, text string) any {
		data.Faults, data.Error = faults, text
		for _, name := range []string{"fileName", "fileSize"} {
			if fault := faults[name]; fault != "" {
				data.Faults["file"] = strings.TrimPrefix(fault, "FileName ")
				delete(data.Faults, name)
			}
		}
		return data
	})
}

// getFile returns the file whose id is in the path. A malformed or unknown id is not found.
func (c *request) getFile() (fileRow, error) {
	id, err := c.pathID("file", "File")
	if err != nil {
		return fileRow{}, err
	}
	file, err := c.d.Content.Get(c.Context(), c.scope.At(c.site.ID), id)
	if err != nil {
		return fileRow{}, err
	}
	rows, err := c.fileRows([]content.Asset{file})
	return rows[0], err
}

// confirmDeleteFile shows the page that asks before a file is deleted.
func confirmDeleteFile(c *request) (view, error) {
	f, err := c.getFile()
	if err != nil {
		return view{}, err
	}
	return pageView("file-delete", "Delete "+f.Name+"?", f)
}

// deleteFile deletes a file. Its address stops working.
func deleteFile(c *request) (view, error) {
	f, err := c.getFile()
	if err == nil {
		anyOwner := laurel.ID{}
		err = c.d.Content.Delete(c.Context(), c.scope.At(c.site.ID), f.ID, anyOwner)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("files"), f.Name+" deleted. Its URL no longer works.")
}
