-- rights: what a moderator may do to an account: the permissions of the moderator's role, and
-- whether that role is above the account's.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none when the account does not exist, else one
-- plan: no sequential scan of users, accounts
select account_permissions($1) as permissions, outranks($1, a.id) as outranks from accounts a where a.id = $2
