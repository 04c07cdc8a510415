-- own_keywords: the keywords of the viewer's filters, or one of them, as filters of their own.
-- $1 viewer bigint
-- $2 keyword bigint
-- rows: all if $2 is null, else at most one
-- plan: no sequential scan
select k.id, k.keyword, k.whole_word, f.contexts, f.action, f.expires_at
from filters f
join filter_keywords k on k.filter_id = f.id
where f.account_id = $1 and ($2::bigint is null or k.id = $2)
order by k.id
