-- all: every blocked username.
-- rows: one a name
-- plan: all of a small table
select b.id, b.username, b.exact, b.allow_with_approval from username_blocks b order by b.skeleton
