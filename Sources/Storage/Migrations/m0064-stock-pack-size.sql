-- The rest of a pack that was counted at the beginning is no full pack: 0 where no pack was added since, so that the
-- size is asked for.
UPDATE stocks SET pack_size = 0
WHERE NOT EXISTS (
    SELECT 1 FROM stock_entries e
    WHERE e.owner = stocks.patient AND e.stock = stocks.stock AND e.kind = 'added')
  AND EXISTS (
    SELECT 1 FROM stock_lots l
    WHERE l.patient = stocks.patient AND l.stock = stocks.stock AND l.number = 1
      AND l.size = stocks.pack_size);
