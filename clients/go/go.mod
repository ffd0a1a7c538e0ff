module laurel.example/laurel/clients/go

go 1.24
