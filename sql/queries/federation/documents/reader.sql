-- reader: the account of another server's actor who reads documents.
-- $1 uri text
-- rows: none when it is not known here, else one
-- plan: no sequential scan
select a.id from accounts a where a.uri = $1::text and a.uri <> '' and a.domain is not null
