"""Reports: statistics, tables, pages."""
