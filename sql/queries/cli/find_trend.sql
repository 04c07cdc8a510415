-- find_trend: the subject of a trend decision, by name.
-- $1 kind text
-- $2 name text
-- rows: none when it does not exist; name: a hashtag without #, a link's URL, a publisher's host
-- plan: no sequential scan
select t.id from tags t where $1::text = 'tag' and t.name = $2::text
union all
select p.id from preview_cards p where $1 = 'link' and p.url = $2
union all
select l.id from link_publishers l where $1 = 'publisher' and l.domain = lower($2)
