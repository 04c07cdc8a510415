-- featured_tags: the featured hashtags of an account.
-- $1 account bigint
-- rows: one a hashtag
-- plan: no sequential scan
select f.name from featured_tags f where f.account_id = $1 order by f.id
