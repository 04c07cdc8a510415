-- lock: serialises changes of the reactions to an announcement.
-- $1 announcement bigint
-- rows: none when there is no such announcement, else one
-- plan: one row by key
select a.id from announcements a where a.id = $1 for no key update
