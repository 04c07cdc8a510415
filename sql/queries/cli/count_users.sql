-- count_users: how many users there are.
-- rows: one
-- plan: all users
select count(*)::integer as users from users
