-- site_pictures: what stands in the place of the built-in pictures
-- rows: one a picture
-- plan: all of a small table
select p.name, p.keys, p.blurhash from site_pictures p
