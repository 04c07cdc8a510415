-- clear: up to a thousand rows of a table that has something of an account or about it (clear_account).
-- $1 account bigint
-- rows: one; removed: 0 when nothing is left
-- plan: that of a function, which goes by the indexes of foreign keys
select clear_account($1, 1000) as removed
