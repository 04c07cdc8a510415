-- find: the stored preview of a page.
-- $1 url text
-- rows: one when there is one
-- plan: no sequential scan
select p.id, p.fetched_at from preview_cards p where p.url = $1
