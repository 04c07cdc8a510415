-- clear: deletes up to a thousand rows of one table that belong to an account or refer to it
-- (clear_account).
-- $1 account bigint
-- rows: one; removed: 0 when no rows remain
-- plan: that of a function, which uses the indexes of the foreign keys
select clear_account($1, 1000) as removed
