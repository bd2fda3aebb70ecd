-- The trace in which the event happened, as the header `traceparent` names it; NULL for an event of an earlier version.
ALTER TABLE events ADD COLUMN trace TEXT;
