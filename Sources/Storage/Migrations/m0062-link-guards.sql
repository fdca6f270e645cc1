-- When a grant last came to share less: links made before are dead, also when it shares more again.
ALTER TABLE grants ADD COLUMN narrowed BIGINT;

-- Wrong codes for an emergency card, so that the person is told.
ALTER TABLE emergency_cards ADD COLUMN refused BIGINT NOT NULL DEFAULT 0;
ALTER TABLE emergency_cards ADD COLUMN refused_last BIGINT;
