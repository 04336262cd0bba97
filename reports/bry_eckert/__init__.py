"""Reports about rules: drawings of failing cases."""
