-- Removes the pins of a status that is deleted. A statement of a volatile function sees the pins
-- that were committed before it, also while the deletion waited for the lock of the status.
create or replace function remove_pins(status bigint) returns void
language plpgsql as $$
begin
  delete from status_pins p where p.status_id = remove_pins.status;
end
$$;
