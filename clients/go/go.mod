module laurel/clients/go

go 1.24
