-- site_pictures: what stands in the place of the built-in pictures
-- rows: one a picture
select p.name, p.keys, p.blurhash from site_pictures p
