-- write_nothing: is refused by a server that only reads, and changes nothing on any other. After
-- such a refusal new connections are opened, which may lead to another server.
-- rows: none
-- plan: never reads the table
delete from settings where false
