-- all: every blocked name.
-- rows: one a name
-- plan: all of a small table
select b.username, b.exact, b.allow_with_approval from username_blocks b order by b.skeleton
