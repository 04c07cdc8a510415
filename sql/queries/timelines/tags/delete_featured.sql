-- delete_featured: removes a hashtag from the viewer's profile, by the id of the feature.
-- $1 viewer bigint
-- $2 featured bigint
-- rows: none when the viewer has no such one
-- plan: no sequential scan
delete from featured_tags f where f.id = $2 and f.account_id = $1 returning f.id
