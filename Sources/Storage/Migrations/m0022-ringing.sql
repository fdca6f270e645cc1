-- The ladder by which a reminder's generation rings, fixed when its first rung was fired: a line for each rung
-- with its minutes, its channel and whom it goes to. None: not fixed yet.
ALTER TABLE reminders ADD COLUMN ladder TEXT;
