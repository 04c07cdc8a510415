-- outranks: whether the role of a user is above that of the account's user.
-- $1 editor bigint
-- $2 account bigint
-- rows: none when the account has no user, else one
-- plan: no sequential scan of users
select outranks($1, u.account_id) as outranks from users u where u.account_id = $2
