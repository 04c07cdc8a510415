-- reader: the stored account of a remote actor that requests documents.
-- $1 uri text
-- rows: none when it is not known here, else one
-- plan: no sequential scan
select a.id from accounts a where a.uri = $1::text and a.uri <> '' and a.domain is not null
