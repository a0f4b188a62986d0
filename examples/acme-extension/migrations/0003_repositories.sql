-- Null: the move was written before there was this column.
ALTER TABLE move ADD COLUMN repository_id uuid;
