-- Whether a report that came from another server was forwarded is unknown here. Locks the rows that
-- it changes.
update reports r set forwarded = null
from accounts a
where a.id = r.account_id and a.domain is not null and not r.forwarded;
