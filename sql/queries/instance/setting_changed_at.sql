-- setting_changed_at: the time of the last change of a setting.
-- $1 key text
-- rows: none when it has its default, else one
-- plan: one row by key
select s.updated_at from settings s where s.key = $1
