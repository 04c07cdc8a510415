-- site_files: the files of the server's own pictures.
-- rows: one; files: their keys
-- plan: the four rows of a small table
select array(select one.value from site_pictures s cross join lateral jsonb_each_text(s.keys) one) as files
