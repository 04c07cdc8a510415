-- site_pictures: the pictures that replace built-in ones.
-- rows: one a picture
-- plan: all of a small table
select p.name, p.keys, p.blurhash from site_pictures p
