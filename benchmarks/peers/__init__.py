"""Peers: queries written by hand for each pattern of the table, one module per tool."""
