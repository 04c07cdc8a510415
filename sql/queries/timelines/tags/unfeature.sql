-- unfeature: removes a hashtag from the viewer's profile.
-- $1 viewer bigint
-- $2 name text
-- rows: none when it was not featured
-- plan: no sequential scan
delete from featured_tags f using tags t where t.name = $2 and f.account_id = $1 and f.tag_id = t.id returning f.id
