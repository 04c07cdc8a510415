-- appeal_letter: the contents of the e-mail about a decided appeal.
-- $1 appeal bigint
-- rows: none when there is no recipient, else one
-- plan: no sequential scan
select u.email, a.username, u.locale, w.id as strike_id, p.approved_at is not null as approved, p.created_at
from appeals p
join account_warnings w on w.id = p.account_warning_id
join accounts a on a.id = p.account_id
join users u on u.account_id = a.id and u.confirmed_at is not null
where p.id = $1 and (p.approved_at is not null or p.rejected_at is not null)
