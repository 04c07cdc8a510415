-- warning_facts: the contents of the e-mail about a strike.
-- $1 warning bigint
-- rows: none when there is no recipient, else one
-- plan: no sequential scan
select u.email, a.username, u.locale, w.action, w.text, coalesce(w.status_ids, '{}') as status_ids
from account_warnings w
join accounts a on a.id = w.target_account_id
join users u on u.account_id = a.id and u.confirmed_at is not null
where w.id = $1
